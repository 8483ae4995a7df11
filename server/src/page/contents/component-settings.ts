import type { ComponentSettings } from "../../store/queries/status-page-components.ts";
import type { ComponentInput } from "../../wire/status-pages.ts";
import { ofEachFigure, USUAL_FIGURES } from "./component-figures.ts";

/** What a component shows where nothing is said. */
export const USUAL_COMPONENT = { description: "", ...USUAL_FIGURES };

/** `base` with what is given. */
export function settingsOf(base: ComponentSettings, input: ComponentInput): ComponentSettings {
  const { displayName = base.displayName, description = base.description } = input;
  return {
    ...ofEachFigure((figure) => input[figure] ?? base[figure]),
    ...{ displayName: displayName.trim(), description: description.trim() },
  };
}
