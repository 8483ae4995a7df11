import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { mailSettingsQuery, useSendTestMail } from "../../api/mail.ts";
import type { Session } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { Section } from "../../components/Card.tsx";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { Notice } from "../../components/Notice.tsx";
import { apiPaths } from "../../paths.ts";
import { SettingRow } from "../SettingRow.tsx";

/** What mail is sent by, and whether it works; for owners. */
export function MailSection({ session }: { session: Session }) {
  const { t } = useTranslation("settings/organization");
  const query = useQuery(mailSettingsQuery);
  const loading = (
    <div className="px-4 pb-4">
      <Skeleton className="my-2 h-12 w-full" />
    </div>
  );
  return (
    <Section title={t("mail.title")}>
      <Loaded of={query} failed={t("mail.failed")} loading={loading}>
        {({ server, sender, links }) => (
          <>
            {server === null ? (
              <SettingRow title={t("mail.off")} text={<HowTo text={t("mail.offText")} />} />
            ) : (
              <TestMail title={server} sender={sender ?? ""} to={session.user.email} />
            )}
            {server !== null && !links && (
              <SettingRow title={t("mail.noLinks")} text={<HowTo text={t("mail.noLinksText")} />} />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** The server and sender, and a button that tries them; what the server says stands beneath. */
function TestMail({ title, sender, to }: { title: string; sender: string; to: string }) {
  const { t } = useTranslation("settings/organization");
  const test = useSendTestMail();
  const { data, error } = test;
  const failure = error?.message ?? (data && !data.accepted ? data.answer : undefined);
  return (
    <>
      <SettingRow title={title} text={t("mail.sender", { sender })}>
        <Button
          variant="quiet"
          busy={test.isPending}
          onClick={() => test.mutate()}
          className="h-auto! min-h-9 max-w-full py-1.5 whitespace-normal! wrap-anywhere"
        >
          {t("mail.test", { email: to })}
        </Button>
      </SettingRow>
      {!test.isPending && (data || failure !== undefined) && (
        <div className="px-4 pb-4 wrap-anywhere">
          {failure === undefined ? (
            <Notice tone="info">
              {t("mail.accepted", { email: data?.to })} {data?.answer}
            </Notice>
          ) : (
            <Notice tone="error">{failure}</Notice>
          )}
        </div>
      )}
    </>
  );
}

function HowTo({ text }: { text: string }) {
  const { t } = useTranslation("settings/organization");
  return (
    <>
      {text}{" "}
      <a
        href={apiPaths.mailDocs}
        target="_blank"
        rel="noreferrer"
        className="rounded-sm text-ink underline underline-offset-4"
      >
        {t("mail.docs")}
      </a>
    </>
  );
}
