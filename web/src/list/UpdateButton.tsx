import { ArrowDownUp } from "lucide-react";
import { useTranslation } from "react-i18next";

/** On the lower edge of the table's head, where it moves nothing and stays in sight. */
export function UpdateButton({ onUpdate }: { onUpdate: () => void }) {
  const { t } = useTranslation("list");
  return (
    <div className="sticky top-(--bar-height) z-11 flex h-0 justify-center">
      <button
        type="button"
        onClick={onUpdate}
        className="mt-6 flex h-6 items-center gap-1.5 rounded-full border border-line-strong bg-raised px-2.5 text-xs whitespace-nowrap text-ink-muted shadow-card hover:text-ink"
      >
        <ArrowDownUp aria-hidden className="size-3" />
        {t("changed")}
      </button>
    </div>
  );
}
