import { Check, Copy } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { useTranslation } from "react-i18next";
import { showToast } from "../toasts.ts";
import { Button } from "./Button.tsx";
import { copyText } from "./copy-text.ts";

interface CopyButtonProps extends Pick<ComponentProps<typeof Button>, "ref" | "variant" | "className"> {
  value: string;
  /** What it says; default: “Copy”. */
  label?: string;
  /** What it copies, for those who hear several such buttons. */
  of?: string;
}

/** Copies a text. */
export function CopyButton({ value, label, of, ...button }: CopyButtonProps) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (await copyText(value)) setCopied(true);
    else showToast("warning", t("copy.failed"));
  };
  const Icon = copied ? Check : Copy;
  const words = copied ? t("copy.done") : (label ?? t("copy.copy"));
  return (
    <Button
      {...button}
      aria-label={of === undefined ? undefined : `${words}: ${of}`}
      onClick={() => void copy()}
    >
      <Icon aria-hidden className="size-4" />
      {words}
    </Button>
  );
}

/** The text that is to be copied; one click selects all of it. */
export function CopyableText({ children }: { children: string }) {
  return (
    <code className="block rounded-md border border-line bg-page px-3 py-2.5 font-sans text-sm break-all select-all">
      {children}
    </code>
  );
}

interface CopyableFieldProps extends Pick<CopyButtonProps, "ref" | "value"> {
  label: string;
}

/** A text under its name, with its own button; `ref`: of that button. */
export function CopyableField({ label, value, ref }: CopyableFieldProps) {
  return (
    <div className="grid gap-1.5">
      <p className="text-sm font-medium">{label}</p>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
        <CopyableText>{value}</CopyableText>
        <CopyButton ref={ref} variant="quiet" value={value} of={label} />
      </div>
    </div>
  );
}
