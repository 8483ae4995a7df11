import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { notificationSettingsQuery } from "../../api/notification-settings.ts";
import { pushQuery } from "../../api/push.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { Skeleton } from "../../components/Skeleton.tsx";
import { usePageTitle } from "../../components/use-page-title.ts";
import type english from "./en.json";
import { OtherBrowser } from "./OtherBrowser.tsx";
import { SettingsForm } from "./SettingsForm.tsx";
import { TargetsSection } from "./TargetsSection.tsx";
import { ThisBrowser } from "./ThisBrowser.tsx";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "settings/notifications": typeof english;
  }
}

/** How the reader themselves is told what happens. */
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
