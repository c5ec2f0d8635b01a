export { default as List } from "./page/list"
export { default as Record } from "./page/delivery"
