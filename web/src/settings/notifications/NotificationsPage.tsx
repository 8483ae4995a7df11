import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { NotificationSettings as Shown } from "../../../../server/src/alerts/schemas/notifications.ts?schemas";
import {
  type NotificationSettings,
  notificationSettingsQuery,
  useSaveNotificationSettings,
} from "../../api/notification-settings.ts";
import { type PushBrowser, pushQuery, useSubscribe, useTestPush, useUnsubscribe } from "../../api/push.ts";
import { Button } from "../../components/Button.tsx";
import { Callout } from "../../components/Callout.tsx";
import { Section } from "../../components/Card.tsx";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import { named } from "../../forms/form-context.ts";
import { SchemaForm } from "../../forms/SchemaForm.tsx";
import type { FieldSchema } from "../../forms/schema.ts";
import { currentTimeZone, formatDateTime } from "../../i18n/format.ts";
import { showToast } from "../../toasts.ts";
import { useDeviceName } from "../profile/use-device-name.ts";
import { SettingRow } from "../SettingRow.tsx";
import type english from "./en.json";
import { TargetsSection } from "./TargetsSection.tsx";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "settings/notifications": typeof english;
  }
}

export function NotificationsPage() {
  const { t } = useTranslation("settings/notifications");
  usePageTitle(t("title"));
  const query = useQuery(notificationSettingsQuery);
  return (
    <div className="grid max-w-3xl gap-4">
      <Loaded of={query} failed={t("settings.failed")} loading={<Skeleton className="h-96 w-full" />}>
        {({ targets, ...settings }) => (
          <>
            <TargetsSection settings={{ ...settings, targets }} />
            <SettingsForm key={JSON.stringify(settings)} settings={{ ...settings, targets }} />
          </>
        )}
      </Loaded>
      <PushSection />
    </div>
  );
}

function PushSection() {
  const { t } = useTranslation("settings/notifications");
  const query = useQuery(pushQuery);
  const loading = (
    <div className="px-4 pb-4">
      <Skeleton className="my-2 h-12 w-full" />
    </div>
  );
  return (
    <Section title={t("push.title")}>
      <p className="px-4 pb-1 text-sm text-pretty text-ink-muted">{t("push.text")}</p>
      <Loaded of={query} failed={t("push.failed")} loading={loading}>
        {({ publicKey, browsers }) => (
          <div>
            <ThisBrowser publicKey={publicKey} subscribed={browsers.find(({ current }) => current) ?? null} />
            {browsers
              .filter(({ current }) => !current)
              .map((browser) => (
                <OtherBrowser key={browser.id} browser={browser} />
              ))}
          </div>
        )}
      </Loaded>
    </Section>
  );
}

/** Another browser that receives the reader's notifications. */
function OtherBrowser({ browser }: { browser: PushBrowser }) {
  const { t, i18n } = useTranslation("settings/notifications");
  const name = useDeviceName()(browser);
  const test = useTestPush();
  const removing = useUnsubscribe();
  const remove = () =>
    removing.mutate(browser, { onSuccess: () => showToast("success", t("other.removed", { name })) });
  const failure = removing.error?.message ?? test.error?.message;
  const refused = test.data && !test.data.accepted ? test.data.answer : undefined;
  return (
    <>
      <SettingRow
        title={name}
        text={t("other.since", { time: formatDateTime(browser.createdAt, i18n.language) })}
      >
        <Button
          variant="quiet"
          busy={test.isPending}
          aria-label={t("other.testOf", { name })}
          onClick={() => test.mutate(browser)}
        >
          {t("test")}
        </Button>
        <Button
          variant="quiet"
          busy={removing.isPending}
          aria-label={t("other.removeOf", { name })}
          onClick={remove}
        >
          {t("other.remove")}
        </Button>
      </SettingRow>
      {(failure ?? refused ?? test.data) !== undefined && !test.isPending && (
        <div className="px-4 pb-4 wrap-anywhere">
          <Callout tone={failure || refused ? "error" : "info"}>{failure ?? refused ?? t("sent")}</Callout>
        </div>
      )}
    </>
  );
}

/** Whether messages are shown in the browser that the reader has before them, and what can be done about it. */
function ThisBrowser({ publicKey, subscribed }: { publicKey: string; subscribed: PushBrowser | null }) {
  const { t } = useTranslation("settings/notifications");
  const [obstacle, setObstacle] = useState(pushObstacle);
  const subscribing = useSubscribe(subscribeThisBrowser);
  const unsubscribing = useUnsubscribe();
  const test = useTestPush();
  const isOn = subscribed !== null && obstacle === null;
  const turnOn = () => subscribing.mutate(publicKey, { onSettled: () => setObstacle(pushObstacle()) });
  const turnOff = () => {
    if (!subscribed) return;
    test.reset();
    unsubscribing.mutate(subscribed, { onSuccess: () => void unsubscribeThisBrowser() });
  };
  const failure = unsubscribing.error ?? test.error ?? subscribing.error;
  return (
    <>
      <SettingRow
        title={t("here.title")}
        text={obstacle === null ? t(isOn ? "here.on" : "here.off") : t(`obstacle.${obstacle}`)}
      >
        {isOn && (
          <Button variant="quiet" busy={test.isPending} onClick={() => test.mutate(subscribed)}>
            {t("test")}
          </Button>
        )}
        {obstacle === null && (
          <Button
            variant={isOn ? "quiet" : "primary"}
            busy={subscribing.isPending || unsubscribing.isPending}
            onClick={isOn ? turnOff : turnOn}
          >
            {t(isOn ? "here.turnOff" : "here.turnOn")}
          </Button>
        )}
      </SettingRow>
      {failure && obstacle === null && (
        <div className="px-4 pb-4">
          <Callout tone="error">
            {failure instanceof PushError ? t(`obstacle.${failure.obstacle}`) : failure.message}
          </Callout>
        </div>
      )}
      {test.data && !test.isPending && (
        <div className="px-4 pb-4 wrap-anywhere">
          <Callout tone={test.data.accepted ? "info" : "error"}>
            {test.data.accepted ? t("sent") : test.data.answer}
          </Callout>
        </div>
      )}
    </>
  );
}

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

function SettingsForm({ settings }: { settings: NotificationSettings }) {
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

/** What prevents messages in this browser; null: nothing. */
type PushObstacle = "insecure" | "unsupported" | "denied";

/** Why this browser cannot show messages, as far as is known without its prompt. */
function pushObstacle(): PushObstacle | null {
  if (!window.isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    return "unsupported";
  }
  return Notification.permission === "denied" ? "denied" : null;
}

/** That subscribing has failed, and at what: `service`: the browser's push service could not be reached. */
class PushError extends Error {
  readonly obstacle: PushObstacle | "dismissed" | "service";

  constructor(obstacle: PushError["obstacle"]) {
    super(obstacle);
    this.obstacle = obstacle;
  }
}

/** For messages in this browser; `publicKey`: the installation's. Throws PushError. */
async function subscribeThisBrowser(publicKey: string): Promise<PushSubscriptionJSON> {
  const permission = await Notification.requestPermission();
  if (permission !== "granted") throw new PushError(permission === "denied" ? "denied" : "dismissed");
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration) throw new PushError("unsupported");
  const { pushManager } = registration;
  // One that was made for another installation at this address takes no messages of this one.
  await (await pushManager.getSubscription())?.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = await pushManager.subscribe(options).catch(() => {
    throw new PushError("service");
  });
  return subscription.toJSON();
}

/** The browser takes no messages any more. */
async function unsubscribeThisBrowser(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}
