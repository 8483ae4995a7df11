import { SchemaForm } from "../forms/SchemaForm.tsx";
import type { FieldSchema } from "../forms/schema.ts";
import { showToast } from "../toasts.ts";
import { Exhibit, Part } from "./Exhibit.tsx";

/** A field of each kind that a schema can describe. */
const schema: FieldSchema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", minLength: 1, maxLength: 100 },
    interval: { type: "integer", minimum: 10, maximum: 3600, "x-usual": 60 },
    token: { type: "string", format: "password" },
    body: { type: "string", maxLength: 10_000 },
    followRedirects: { type: "boolean", "x-usual": true },
    severity: { type: "string", enum: ["low", "high"], "x-usual": "high" },
    locations: { type: "array", items: { type: "string", enum: ["local", "eu-central"] } },
    tags: { type: "array", items: { type: "string", maxLength: 50 }, maxItems: 20 },
    headers: {
      type: "object",
      patternProperties: { "^[A-Za-z-]+$": { type: "string", maxLength: 1000 } },
    },
    limits: {
      type: "object",
      properties: {
        warnAbove: { type: "integer", minimum: 0 },
        failAbove: { anyOf: [{ type: "number" }, { type: "string" }, { type: "null" }] },
      },
    },
    assertions: {
      type: "array",
      items: {
        discriminator: { propertyName: "type" },
        oneOf: [
          { type: "object", properties: { type: { const: "status" }, expected: { type: "string" } } },
          { type: "object", properties: { type: { const: "text" }, value: { type: "string" } } },
        ],
      },
    },
  },
};

const values = {
  name: "Checkout API",
  tags: ["shop", "eu"],
  locations: ["local"],
  headers: { Accept: "application/json" },
  assertions: [{ type: "status", expected: "200-299" }],
};

const layout = [
  { id: "first", fields: ["name", "interval"] },
  { id: "Request", fields: ["token", "body", "followRedirects", "headers"] },
  { id: "Judgement", fields: ["assertions", "limits", "severity", "locations", "tags"] },
];

const texts: Record<string, string> = {
  "field.name.help": "What you call it.",
  "field.interval.unit": "seconds",
  "field.headers.add": "Add header",
  "field.assertions.status.label": "Status code",
  "field.assertions.text.label": "Text in the answer",
  "section.Request.text": "A section is closed while all in it is as usual.",
};

const kinds = ["Text", "Number", "Secret", "LongText", "Switch", "Choice", "Choices", "Words", "Record"];
const parts = ["Scalar", "Group", "Variants", "Schema"];

export function Forms() {
  return (
    <Part
      title="Forms"
      text="A page hands over a schema, a layout and texts. Kinds, limits, choices and defaults are read from the schema, so a new setting has its field before a line has been written for it."
    >
      <Exhibit
        of={[
          ...["SchemaForm", "FormSection", "FieldFrame", "Select", "Tick", "AddButton", "ChipBox"],
          ...[...kinds, ...parts].map((kind) => `${kind}Field`),
        ]}
        text="Leave a field wrong to see its message; nothing is sent from here."
        bare
      >
        <div className="max-w-3xl">
          <SchemaForm
            schema={schema}
            values={values}
            keeps={() => false}
            layout={layout}
            text={(key) => texts[key]}
            remarks={() => ({ notes: {}, warnings: {}, placeholders: {} })}
            submitLabel="Save"
            cancel={null}
            onSubmit={() => Promise.resolve()}
            onDone={() => showToast("success", "Nothing was wrong with it.")}
          />
        </div>
      </Exhibit>
    </Part>
  );
}
