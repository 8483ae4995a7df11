/** css-tree without its 5 MB of CSS data; its own types describe only the whole. */
declare module "css-tree/parser" {
  export { parse as default } from "css-tree";
}
declare module "css-tree/generator" {
  export { generate as default } from "css-tree";
}
declare module "css-tree/walker" {
  export { walk as default } from "css-tree";
}
declare module "css-tree/tokenizer" {
  export { tokenize, tokenTypes } from "css-tree";
}
