import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { ChannelCreate, ChannelUpdate } from "../../../../server/src/alerts/schemas/channels.ts?schemas";
import { type Channel, useSaveChannel } from "../../api/channels.ts";
import { ButtonLink } from "../../components/Button.tsx";
import { named } from "../../forms/form-context.ts";
import { SchemaForm } from "../../forms/SchemaForm.tsx";
import type { FieldSchema } from "../../forms/schema.ts";
import { currentTimeZone } from "../../i18n/format.ts";
import { currentLanguage } from "../../i18n/i18n.ts";
import type english from "./form/en.json";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "settings/channels/form": typeof english;
  }
}

const create: FieldSchema = ChannelCreate;
const update: FieldSchema = ChannelUpdate;
const variants = create.oneOf ?? [];
const typeOf = (shape: FieldSchema): string => String(shape.properties?.["type"]?.const);

/** The types of channel, in the order in which they are offered. */
export const channelTypes: readonly string[] = variants.map(typeOf);

const configOf = (type: string): FieldSchema =>
  variants.find((shape) => typeOf(shape) === type)?.properties?.["config"] ?? {};

const layout = [
  { id: "basics", fields: ["name", "config", "enabled"] },
  { id: "filter", fields: ["events", "severities", "tags", "reminder"] },
  { id: "hours", fields: ["hours", "timeZone", "language"] },
];

interface ChannelFormProps {
  type: string;
  /** Null: a new one. */
  channel: Channel | null;
  /** `saved`: null where there was nothing to save. */
  onDone: (saved: Channel | null) => void;
}

export function ChannelForm({ type, channel, onDone }: ChannelFormProps) {
  const { t, i18n } = useTranslation(["settings/channels", "settings/channels/form", "shared"]);
  const save = useSaveChannel(channel?.id ?? null);
  const schema = useMemo(
    () =>
      named(schemaOf(type, channel !== null), (value) =>
        t(`names.${value.replaceAll(".", "_")}` as "names.low"),
      ),
    [type, channel, t],
  );
  const text = useCallback(
    (key: string) => {
      // Services call alike things by names of their own.
      const names = [`settings/channels/form:of.${type}.${key}`, `settings/channels/form:${key}`];
      const name = names.find((one) => i18n.exists(one));
      return name === undefined ? undefined : t(name as "title");
    },
    [t, i18n, type],
  );
  const isHidden = (path: string) => {
    const [group, name = ""] = path.split(".");
    return channel !== null && group === "config" && configOf(type).properties?.[name]?.writeOnly === true;
  };
  const { language, timeZone } = channel ?? { language: currentLanguage(), timeZone: currentTimeZone() };
  // Whatever they are, the section that they are in stays closed: hours alone open it.
  const usual = { language, timeZone };
  return (
    <SchemaForm
      schema={schema}
      values={channel ?? usual}
      usual={usual}
      keeps={isHidden}
      layout={layout}
      text={text}
      remarks={() => ({ notes: {}, warnings: {}, placeholders: {} })}
      focusFirst={channel === null}
      submitLabel={t(channel ? "save" : "add")}
      cancel={<ButtonLink to="/settings/channels">{t("shared:action.cancel")}</ButtonLink>}
      onSubmit={(body) => save.mutateAsync(channel ? body : { ...body, type })}
      onDone={onDone}
    />
  );
}

function schemaOf(type: string, isStored: boolean): FieldSchema {
  const properties = { ...update.properties, config: configOf(type) };
  return { type: "object", required: isStored ? [] : ["name", "config"], properties };
}
