import { useTranslation } from "react-i18next";
import type { Rdap } from "../../../../server/src/wire/toolbox/rdap.ts";
import { FactList } from "../../components/Card.tsx";
import { formatDate } from "../../i18n/format.ts";
import { Summary } from "../Summary.tsx";

/** Who holds a name, a network or an AS number, and until when. */
export function RegistrationResult({ result }: { result: Rdap }) {
  const { t, i18n } = useTranslation("toolbox");
  const { query, kind, registered, signed, events, server, listPublished } = result;
  const eventName = (action: string) => {
    const key = `rdap.events.${action.replaceAll(" ", "_")}`;
    return i18n.exists(`toolbox:${key}`) ? t(key as "title") : action;
  };
  const list = (items: readonly string[]) => (items.length > 0 ? items.join(", ") : null);
  return (
    <>
      <Summary tone={registered ? "good" : "info"}>
        {t(registered ? `rdap.held.${kind}` : `rdap.free.${kind}`, { query })}
      </Summary>
      {registered && (
        <div className="px-4">
          <FactList
            facts={[
              [t("rdap.name"), result.name],
              [t("rdap.range"), result.range],
              [t("rdap.organization"), result.organization],
              [t("rdap.country"), result.country],
              [t("rdap.registrar"), result.registrar],
              ...firstOfEach(events).map(
                ({ action, date }) => [eventName(action), formatDate(date, i18n.language)] as const,
              ),
              [t("rdap.status"), list(result.status)],
              [t("rdap.nameServers"), list(result.nameServers)],
              ["DNSSEC", signed !== null && t(signed ? "rdap.signed" : "rdap.unsigned")],
              [t("rdap.abuse"), result.abuseContact],
              [t("rdap.handle"), result.handle],
            ]}
          />
        </div>
      )}
      <p className="px-4 text-sm text-pretty text-ink-faint">
        {t("rdap.by", { server, date: formatDate(listPublished, i18n.language) })}
      </p>
    </>
  );
}

/** A registry may tell of one change several times; the names of facts are theirs alone. */
const firstOfEach = (events: Rdap["events"]): Rdap["events"] =>
  events.filter(({ action }, at) => events.findIndex((one) => one.action === action) === at);
