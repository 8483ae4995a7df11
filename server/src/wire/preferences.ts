import { Type } from "typebox";
import { THEMES } from "../account/preferences.ts";
import { LANGUAGES } from "../texts/languages.ts";
import { nullable, oneOf } from "./field.ts";

/** How the app looks and speaks to a person, wherever they sign in. */
export const Preferences = Type.Object({
  language: nullable(
    oneOf(LANGUAGES, { examples: ["de"] }),
    "Of the app, and of what is sent to you. Null: as the browser says.",
  ),
  theme: nullable(oneOf(THEMES, { examples: ["dark"] }), "Null: as the browser says."),
  timeZone: nullable(
    Type.String({ format: "time-zone", maxLength: 64, examples: ["Europe/Berlin"] }),
    "A name of the IANA time zone database, in which dates and times are written, in the app and in what is sent to you. Null: as the browser says.",
  ),
});

/** What the app says of the browser in which it was opened. */
export const SeenBrowser = Type.Object({
  seenLanguage: nullable(
    oneOf(LANGUAGES, { examples: ["de"] }),
    "Of the browser that you used last: of what is sent to you where `language` is null. Null: not known; it is English then.",
  ),
  seenTimeZone: nullable(
    Type.String({ format: "time-zone", maxLength: 64, examples: ["Europe/Berlin"] }),
    "Of the browser that you used last: of times in what is sent to you where `timeZone` is null. Null: not known; they are in UTC then.",
  ),
});

export const PreferencesChange = Type.Partial(
  Type.Object({ ...Preferences.properties, ...SeenBrowser.properties }),
  { title: "Preferences" },
);
