import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { NotificationSettings as Shown } from "../../../../server/src/wire/notification-settings.ts?schemas";
import { type NotificationSettings, useSaveNotificationSettings } from "../../api/notification-settings.ts";
import { named } from "../../forms/named.ts";
import { SchemaForm } from "../../forms/SchemaForm.tsx";
import type { FieldSchema } from "../../forms/schema.ts";
import { currentTimeZone } from "../../i18n/format.ts";
import { showToast } from "../../toasts.ts";

const layout = [
  {
    id: "what",
    fields: [
      "emailNotifications",
      "emailDowntime",
      "emailIncidents",
      "emailWeeklyReports",
      "emailMonthlyReports",
      "browserNotifications",
    ],
  },
  { id: "elsewhere", fields: ["slackEnabled", "slackWebhookUrl", "webhookUrl"] },
  { id: "quiet", fields: ["quietHours"] },
];

/** What means something only while another is on. */
const under = {
  emailDowntime: "emailNotifications",
  emailIncidents: "emailNotifications",
  emailWeeklyReports: "emailNotifications",
  emailMonthlyReports: "emailNotifications",
  slackWebhookUrl: "slackEnabled",
};

const all: FieldSchema = Shown;
const schema: FieldSchema = {
  type: "object",
  properties: Object.fromEntries(
    layout
      .flatMap(({ fields }) => fields)
      .map((name) => {
        const switchedBy = (under as Readonly<Record<string, string>>)[name];
        const one = all.properties?.[name] ?? {};
        return [name, switchedBy === undefined ? one : { ...one, "x-when": { [switchedBy]: [true] } }];
      }),
  ),
};

/** What the reader is told, how, and when it is quiet. */
export function SettingsForm({ settings }: { settings: NotificationSettings }) {
  const { t, i18n } = useTranslation(["settings/notifications", "settings/channels"]);
  const save = useSaveNotificationSettings();
  const inWords = useMemo(
    () => named(schema, (value) => t(`settings/channels:names.${value}` as "settings/channels:names.monday")),
    [t],
  );
  const text = useCallback(
    (key: string) => {
      const name = `settings/notifications:form.${key}`;
      return i18n.exists(name) ? t(name as "title") : undefined;
    },
    [t, i18n],
  );
  // Hours mean the reader's clocks unless they say others, and that alone opens no section.
  const quietHours = { timeZone: currentTimeZone(), ...settings.quietHours };
  return (
    <SchemaForm
      schema={inWords}
      values={{ ...settings, quietHours }}
      usual={{ quietHours: { timeZone: quietHours.timeZone } }}
      keeps={() => false}
      layout={layout}
      text={text}
      remarks={() => ({ notes: {}, warnings: {}, placeholders: {} })}
      submitLabel={t("settings.save")}
      cancel={null}
      onSubmit={save.mutateAsync}
      onDone={(saved) => saved && showToast("success", t("settings.saved"))}
    />
  );
}
