import { MessagesSquare, Unplug } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/Button.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";

/** Says how the assistant is set up, to whoever comes before somebody has. */
export function NotConfigured() {
  const { t } = useTranslation("frame/assistant");
  const lines = [
    "VEDETTE_ASSISTANT_URL=https://api.openai.com/v1",
    "VEDETTE_ASSISTANT_MODEL=…",
    "VEDETTE_ASSISTANT_KEY=…",
  ];
  return (
    <section aria-label={t("setUp.title")} className="border-b border-line p-4">
      <h3 className="flex items-center gap-2 font-semibold">
        <Unplug aria-hidden className="size-4 text-ink-faint" />
        {t("setUp.title")}
      </h3>
      <p className="mt-1.5 text-sm text-pretty text-ink-muted">{t("setUp.text")}</p>
      <pre className="mt-3 overflow-x-auto rounded-md bg-hover p-3 text-xs">
        <code>{lines.join("\n")}</code>
      </pre>
      <p className="mt-3 text-sm text-pretty text-ink-muted">{t("setUp.which")}</p>
      <p className="mt-3 text-sm text-pretty text-ink-muted">{t("setUp.kept")}</p>
    </section>
  );
}

const examples = ["down", "slow", "week"] as const;

/** What stands where nothing has been asked yet. */
export function Welcome({ onAsk }: { onAsk: (question: string) => void }) {
  const { t } = useTranslation("frame/assistant");
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <EmptyState
        icon={<MessagesSquare aria-hidden className="size-6" strokeWidth={1.5} />}
        title={t("welcome.title")}
        text={t("welcome.text")}
      >
        <div className="grid justify-items-center gap-2">
          {examples.map((one) => (
            <Button
              key={one}
              variant="quiet"
              className="h-auto min-h-9 py-1.5 whitespace-normal"
              onClick={() => onAsk(t(`welcome.${one}`))}
            >
              {t(`welcome.${one}`)}
            </Button>
          ))}
        </div>
      </EmptyState>
    </div>
  );
}
