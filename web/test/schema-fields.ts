import { type FieldSchema, itemProperties, kindOf, variantsOf } from "../src/forms/schema.ts";

/** Every field of a form by the name of its texts, those inside of others too. */
export function fieldsOf(schema: FieldSchema, prefix = ""): [string, FieldSchema][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]): [string, FieldSchema][] => {
    const key = prefix + name;
    if (kindOf(one) === "group") return [[key, one], ...fieldsOf(one, `${key}.`)];
    if (kindOf(one) !== "variants") return [[key, one]];
    const inside = Object.entries(variantsOf(one)).flatMap(([variant, item]): [string, FieldSchema][] => [
      [`${key}.${variant}`, { type: "object", properties: {} }],
      ...itemProperties(one, item).map(([field, each]): [string, FieldSchema] => [
        `${key}.${variant}.${field}`,
        each,
      ]),
    ]);
    return [[key, one], ...inside];
  });
}
