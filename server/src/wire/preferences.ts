import { Type } from "typebox";
import { THEMES } from "../account/preferences.ts";
import { LANGUAGES } from "../texts/languages.ts";
import { nullable, oneOf } from "./field.ts";

/** How the app looks and speaks to a person, wherever they sign in. */
export const Preferences = Type.Object({
  language: nullable(
    oneOf(LANGUAGES, { examples: ["de"] }),
    "Of the app, and of mails to you. Null: as the browser says; mails are then English.",
  ),
  theme: nullable(oneOf(THEMES, { examples: ["dark"] }), "Null: as the browser says."),
  timeZone: nullable(
    Type.String({ format: "time-zone", maxLength: 64, examples: ["Europe/Berlin"] }),
    "A name of the IANA time zone database, in which the app writes dates and times. Null: as the browser says.",
  ),
});

export const PreferencesChange = Type.Partial(Preferences, { title: "Preferences" });
