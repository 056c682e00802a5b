export { default } from "../lib/page";
