import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Finding } from "../../../server/src/checks/toolbox/schemas/finding.ts";
import { translateMessage } from "../i18n/i18n.ts";

type Tone = "good" | Finding["severity"];

const looks = {
  good: { Icon: CircleCheck, className: "text-up-ink" },
  critical: { Icon: CircleAlert, className: "text-down-ink" },
  warning: { Icon: TriangleAlert, className: "text-warn-ink" },
  info: { Icon: Info, className: "text-ink-muted" },
} as const;

/** The one sentence that says what came of it. */
export function Summary({ tone, children }: { tone: Tone; children: ReactNode }) {
  const { Icon, className } = looks[tone];
  return (
    <p className={`flex gap-2 px-4 font-medium text-pretty wrap-anywhere ${className}`}>
      <Icon aria-hidden className="mt-0.75 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

/** What is wrong, the most severe first, in the reader's language. */
export function Findings({ of: findings, label }: { of: readonly Finding[]; label: string }) {
  return (
    <ul aria-label={label} className="grid gap-1.5 px-4 text-sm">
      {findings.map(({ severity, text, fact }) => {
        const { Icon, className } = looks[severity];
        return (
          <li key={text} className="flex gap-2 text-pretty wrap-anywhere">
            <Icon aria-hidden className={`mt-0.75 size-3.5 shrink-0 ${className}`} />
            <span>{fact ? translateMessage(text, fact) : text}</span>
          </li>
        );
      })}
    </ul>
  );
}
