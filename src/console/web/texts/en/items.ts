/** The items. */
export const items = {
  new: "New item",
  create: "Create item",
  onlyFor: "Only managers and admins can create items.",
  intro: "Add the products, consumables and services you sell.",
  code: "Code",
  unit: "Unit",
  reorderLevelHint: "Stock is low at or below this level",
  reorderQuantity: "Reorder quantity",
  reorderQuantityHint: "Suggested quantity to reorder",
  imagesHint: "Image URLs. Press Enter after each",
  activeHint: "Inactive items cannot be used on new orders",
  inStock: "In stock",
  reserved: "Reserved",
  available: "Available",
  low: "Low",
  movements: "Stock movements",
} as const
