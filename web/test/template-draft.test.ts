import { expect, test } from "vitest";
import { chooseLanguage, draftOf, inputOf } from "../src/status-pages/templates/TemplateForm.tsx";

const german = { language: "de" as const, title: "Störung", message: "Wir warten." };
const english = { language: "en" as const, title: "", message: "We wait." };

test("a template is sent as it was read, its languages in their order", () => {
  const template = { name: "Provider", texts: [german, english] };
  expect(inputOf(draftOf(template))).toEqual({ name: "Provider", texts: [english, german] });
});

test("a language that is cleared is not sent, has its text when it is ticked again, and the last one stays", () => {
  const both = draftOf({ name: "Provider", texts: [english, german] });
  const one = chooseLanguage(both, "de", false);
  expect(inputOf(one).texts).toEqual([english]);
  expect(chooseLanguage(one, "en", false)).toBe(one);
  expect(inputOf(chooseLanguage(one, "de", true)).texts).toEqual([english, german]);
});
