import { useMutation, useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useTranslation } from "react-i18next";
import { normaliseUrl } from "../../../../../server/src/monitor/url.ts";
import { sentencesOf } from "../../../api/client.ts";
import { type DomainTest, testDomain, titleQuery } from "../../../api/domain-test.ts";
import { Button } from "../../../components/Button.tsx";
import { StatusDot, statusInk } from "../../../components/StatusDot.tsx";
import { useDebounced } from "../../../components/use-debounced.ts";
import { formatResponseTime } from "../../../format.ts";
import type { FormAssist } from "../../../forms/SchemaForm.tsx";
import { factInReadersLanguage } from "../../../i18n/i18n.ts";
import { hostOf } from "./host-of.ts";

const typingPauseMs = 600;

/** The page's title as a name, and a check of what stands in the form before it is saved. */
export function DomainAssist({ drafts, body, change }: FormAssist) {
  const { t } = useTranslation("kinds/domain/form");
  const url = (drafts["url"] as string).trim();
  const typed = useDebounced(url, typingPauseMs);
  const isAddress = typed !== "" && typed === url && normaliseUrl(typed).ok;
  const title = useQuery({ ...titleQuery(typed), enabled: isAddress && drafts["name"] === "" }).data;
  const test = useMutation({ mutationFn: testDomain });
  // What was found of other settings says nothing of these.
  const isOfThis = JSON.stringify(test.variables) === JSON.stringify(body());
  return (
    <div className="grid gap-3">
      {title !== undefined && drafts["name"] === "" && title !== hostOf(url) && isAddress && (
        <button
          type="button"
          onClick={() => change("name", title)}
          className="w-fit max-w-full truncate rounded-sm text-sm text-ink-muted underline underline-offset-4 hover:text-ink"
        >
          {t("assist.useTitle", { title })}
        </button>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          type="button"
          variant="quiet"
          busy={test.isPending}
          disabled={url === ""}
          onClick={() => test.mutate(body())}
        >
          <Play aria-hidden className="-ml-0.5 size-4 text-ink-faint" />
          {t("assist.test")}
        </Button>
        <div role="status" className="min-w-0 flex-1 text-sm">
          {isOfThis && test.data && <Found result={test.data} />}
          {isOfThis && test.error && <p className="text-down-ink">{sentencesOf(test.error).join(" ")}</p>}
        </div>
      </div>
    </div>
  );
}

/** "Passed · 200 · 123 ms", or why not. */
function Found({ result }: { result: DomainTest }) {
  const { t, i18n } = useTranslation("kinds/domain/form");
  const { state, statusCode, responseTime, reason, reasonFact } = result;
  const time =
    responseTime !== null && (state !== "down" || statusCode !== null)
      ? formatResponseTime(responseTime, i18n.language)
      : null;
  const facts = [t(`assist.state.${state}`), statusCode, time].filter((fact) => fact !== null);
  return (
    <div className="min-w-0">
      <p className={`flex items-center gap-2 font-medium tabular-nums ${statusInk[state]}`}>
        <StatusDot status={state} plain />
        {facts.join(" · ")}
      </p>
      {reason !== null && (
        <p className="text-pretty break-words text-ink-muted">{factInReadersLanguage(reason, reasonFact)}</p>
      )}
    </div>
  );
}
