import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { readerOf } from "../../../../server/src/platform/i18n/reader.ts";
import {
  type NotificationSettings,
  type NotificationTarget,
  useRequestOwnConfirmation,
  useTestNotifications,
} from "../../api/notification-settings.ts";
import { sessionQuery } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { Callout } from "../../components/Callout.tsx";
import { Section } from "../../components/Card.tsx";
import { CopyButton } from "../../components/CopyButton.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatClock } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { languages } from "../../i18n/languages.ts";
import { showToast } from "../../toasts.ts";
import { SettingRow } from "../SettingRow.tsx";

/** Where messages to the reader go, whether they get there, and a test of each. */
export function TargetsSection({ settings }: { settings: NotificationSettings }) {
  const { t } = useTranslation("settings/notifications");
  const { targets, webhookSecret, emailNotifications, slackEnabled } = settings;
  const reader = useReader();
  const isOn = { email: emailNotifications, slack: slackEnabled, webhook: true };
  return (
    <Section title={t("targets.title")}>
      <p className="px-4 pb-1 text-sm text-pretty text-ink-muted">
        {t("targets.text")} {reader && t("targets.reader", reader)}
      </p>
      <div>
        {targets.map((target) => (
          <TargetRow key={target.type} target={target} isOn={isOn[target.type]} />
        ))}
        {webhookSecret && <SecretRow secret={webhookSecret} />}
      </div>
      <NextReports reports={settings.reports} />
    </Section>
  );
}

/** The language and the zone of what is sent to the reader: their own, else those of the browser used last. */
function useReader(): { language: string; zone: string } | null {
  const { data: session } = useSuspenseQuery(sessionQuery);
  if (!session) return null;
  const { language, timeZone } = readerOf(session.user);
  return { language: languages[language], zone: timeZone.replaceAll("_", " ") };
}

const CANNOT_MAIL = new Set(["mail.off", "mail.no_address"]);

function TargetRow({ target, isOn }: { target: NotificationTarget; isOn: boolean }) {
  const { t } = useTranslation(["settings/notifications", "settings/channels"]);
  const test = useTestNotifications();
  const request = useRequestOwnConfirmation();
  const { type, problem, problemFact } = target;
  const said = () =>
    showToast("success", t("settings/channels:unconfirmed.requested", { target: target.target }));
  const name = t(`settings/channels:type.${type}`);
  const problemText = problem === null ? null : translateMessage(problem, problemFact);
  const answer = test.error?.message ?? test.data?.answer;
  return (
    <>
      <SettingRow
        title={name}
        text={
          <>
            <p>{target.target}</p>
            {isOn ? problemText && <p className="text-warn-ink">{problemText}</p> : <p>{t("targets.off")}</p>}
          </>
        }
      >
        {problemFact?.code === "settings.unconfirmed" ? (
          <Button
            variant="quiet"
            busy={request.isPending}
            onClick={() => request.mutate(undefined, { onSuccess: said })}
          >
            {t("settings/channels:unconfirmed.again")}
          </Button>
        ) : CANNOT_MAIL.has(problemFact?.code ?? "") ? null : (
          <Button
            variant="quiet"
            busy={test.isPending}
            aria-label={t("targets.testOf", { type: name })}
            onClick={() => test.mutate(target)}
          >
            {t("targets.test")}
          </Button>
        )}
      </SettingRow>
      {request.error && (
        <div className="px-4 pb-4 wrap-anywhere">
          <Callout tone="error">{request.error.message}</Callout>
        </div>
      )}
      {!test.isPending && answer !== undefined && (
        <div className="px-4 pb-4 wrap-anywhere">
          <Callout tone={test.data?.accepted ? "info" : "error"}>{answer}</Callout>
        </div>
      )}
    </>
  );
}

function SecretRow({ secret }: { secret: string }) {
  const { t } = useTranslation("settings/notifications");
  return (
    <SettingRow
      title={t("targets.secret")}
      text={
        <>
          <p>{t("targets.secretText")}</p>
          <code className="break-all select-all">{secret}</code>
        </>
      }
    >
      <CopyButton variant="quiet" value={secret} />
    </SettingRow>
  );
}

/** When the next reports come by mail; nothing where none does. */
function NextReports({ reports: { weeklyAt, monthlyAt } }: Pick<NotificationSettings, "reports">) {
  const { t, i18n } = useTranslation("settings/notifications");
  const now = useNow();
  if (weeklyAt === null && monthlyAt === null) return null;
  const time = (at: string) => formatClock(Date.parse(at), now, i18n.language);
  return (
    <div className="grid gap-1 px-4 pb-4 text-sm text-ink-muted" data-reports="next">
      {weeklyAt && <p>{t("settings.next.weekly", { time: time(weeklyAt) })}</p>}
      {monthlyAt && <p>{t("settings.next.monthly", { time: time(monthlyAt) })}</p>}
    </div>
  );
}
