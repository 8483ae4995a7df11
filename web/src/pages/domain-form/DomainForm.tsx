import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { DomainDetail } from "../../api/domain.ts";
import { type DomainLimits, useSaveDomain } from "../../api/domain-settings.ts";
import { formatInterval } from "../../format.ts";
import type { Drafts } from "../../forms/drafts.ts";
import { SchemaForm } from "../../forms/SchemaForm.tsx";
import type english from "../../kinds/domain/form/en.json";
import type monitorForm from "../monitor/form/en.json";
import { CancelLink } from "./CancelLink.tsx";
import { dangerOf, warningsOf } from "./credentials.ts";
import { domainLayout } from "./domain-layout.ts";
import { domainSchema } from "./domain-schema.ts";
import { hostOf } from "./host-of.ts";
import { alongsideOf, settleDomain } from "./settle-domain.ts";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "monitor/form": typeof monitorForm;
    "kinds/domain/form": typeof english;
  }
}

interface DomainFormProps {
  /** Null: a new one. */
  detail: DomainDetail | null;
  /** Of a new one: the address that was typed elsewhere. */
  url?: string | undefined;
  limits: DomainLimits;
  /** `saved`: as the API answered; null when there was nothing to save. */
  onDone: (saved: DomainDetail | null) => void;
}

/** Where the texts about a field may stand. */
const textPlaces = ["kinds/domain/form", "monitor/form"] as const;

/** Every setting of a domain. */
export function DomainForm({ detail, url, limits, onDone }: DomainFormProps) {
  const { t, i18n } = useTranslation(["monitor/form", "kinds/domain/form"]);
  const save = useSaveDomain(detail?.id ?? null);
  const schema = useMemo(() => domainSchema(detail ? "update" : "create", limits), [detail, limits]);
  const text = useCallback(
    (key: string) => {
      const name = textPlaces.map((place) => `${place}:${key}`).find((one) => i18n.exists(one));
      return name && t(name as "monitor/form:field.tags.label");
    },
    [t, i18n],
  );
  const remarks = useRemarks(limits, detail);
  const stored = detail?.authType ?? "none";
  const isStored = (path: string, drafts: Drafts) =>
    (path.startsWith("authConfig.") && stored !== "none" && drafts["authType"] === stored) ||
    path.startsWith("headers.");
  const isInDanger = (drafts: Drafts) => detail !== null && dangerOf(detail, drafts) !== null;
  return (
    <SchemaForm
      schema={schema}
      values={detail ?? (url ? { url } : {})}
      keeps={(path, drafts) => isStored(path, drafts) && !isInDanger(drafts)}
      stale={(path, drafts) => isStored(path, drafts) && isInDanger(drafts)}
      settle={settleDomain}
      alongside={alongsideOf(detail)}
      layout={domainLayout}
      text={text}
      remarks={remarks}
      submitLabel={t(detail ? "save" : "create")}
      cancel={<CancelLink id={detail?.id ?? null} />}
      onSubmit={save.mutateAsync}
      onDone={onDone}
    />
  );
}

/** What the plan allows, at the fields it limits, and what the typed values mean. */
function useRemarks(limits: DomainLimits, detail: DomainDetail | null) {
  const { plan, minCheckInterval, locationsPerMonitor: most } = limits;
  const { t, i18n } = useTranslation(["monitor/form", "kinds/domain/form"]);
  const words = (seconds: number) => formatInterval(seconds, i18n.language);
  return (drafts: Drafts) => {
    const seconds = Number(drafts["checkInterval"]);
    const interval = Number.isInteger(seconds) && seconds > 60 ? words(seconds) : null;
    const danger = detail && dangerOf(detail, drafts);
    const smallest = t("remark.smallest", { interval: words(minCheckInterval), plan });
    return {
      notes: {
        checkInterval: interval ? `${t("remark.every", { interval })} ${smallest}` : smallest,
        locations: most === null ? undefined : t("remark.locations", { count: most, plan }),
      },
      warnings: danger ? warningsOf(danger, t(`kinds/domain/form:remark.anew.${danger}`)) : {},
      placeholders: { name: detail === null ? hostOf(drafts["url"] as string) : undefined },
    };
  };
}
