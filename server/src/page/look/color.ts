import { type Fact, fact } from "../../texts/fact.ts";

const COLOR = /^#[0-9a-f]{6}$/i;

/** What is wrong with a color; null when nothing is. */
export const colorProblem = (text: string): Fact | null => (COLOR.test(text) ? null : fact("page.color"));
