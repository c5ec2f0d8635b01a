export { de as fields } from "../../../shared/field-names/de"
