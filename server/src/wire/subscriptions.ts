import { Type } from "typebox";
import { LANGUAGES } from "../texts/languages.ts";
import { oneOf } from "./field.ts";
import { MAX_COMPONENTS } from "./page-components.ts";

/** What a link of a subscriber's message ends with. */
export const LinkToken = Type.Object({ token: Type.String({ maxLength: 200 }) });

/** What a subscriber chooses by such a link. */
export const SubscriptionChange = Type.Object({
  ...LinkToken.properties,
  components: Type.Unsafe<string[] | null>({
    type: ["array", "null"],
    items: { type: "string", maxLength: 36 },
    maxItems: MAX_COMPONENTS,
  }),
  language: oneOf(LANGUAGES),
});
