import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useHasExpertPlan } from "../../api/plans.ts";
import { CopyableText, CopyButton } from "../../components/CopyButton.tsx";
import { RefusedByPlan } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { usePageTitle } from "../../components/use-page-title.ts";
import { ClientSection } from "./ClientSection.tsx";
import type english from "./en.json";
import { KeySection } from "./KeySection.tsx";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "settings/assistants": typeof english;
  }
}

/** How an assistant is connected: where to, with which key, and what to put into which program. */
export function AssistantsPage() {
  const { t } = useTranslation("settings/assistants");
  usePageTitle(t("title"));
  const [token, setToken] = useState<string | null>(null);
  // A key can be made in smaller plans, too, and would be refused at the address.
  if (!useHasExpertPlan()) return <RefusedByPlan />;
  const url = `${window.location.origin}/mcp`;
  return (
    <div className="grid gap-4">
      <p className="text-pretty text-ink-muted">{t("text")}</p>
      <Section title={t("address")} aside={<CopyButton value={url} of={t("address")} variant="quiet" />}>
        <div className="px-4 pb-4">
          <CopyableText>{url}</CopyableText>
        </div>
      </Section>
      <KeySection token={token} onMade={setToken} />
      <ClientSection url={url} token={token} />
    </div>
  );
}
