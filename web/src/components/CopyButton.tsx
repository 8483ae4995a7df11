import { Check, Copy } from "lucide-react";
import { type ComponentProps, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { showToast } from "../toasts.ts";
import { Button } from "./Button.tsx";
import { Dialog, focusedAtFirst } from "./Dialog.tsx";

interface CopyButtonProps extends Pick<ComponentProps<typeof Button>, "ref" | "variant" | "className"> {
  value: string;
  /** What it says; default: “Copy”. */
  label?: string;
  /** What it copies, for screen readers, which meet several such buttons. */
  of?: string;
}

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

/** Copies a text that the page does not show, and says `done`; where the browser refuses, the text is shown for a while. */
export function useCopy(): (text: string, done: string) => Promise<void> {
  const { t } = useTranslation();
  return useCallback(
    async (text, done) => {
      if (await copyText(text)) showToast("success", done);
      else showToast("warning", t("copy.failedWith", { text }), { lastsMs: 30_000 });
    },
    [t],
  );
}

/** Whether it could be copied: browsers have no clipboard for pages over plain http. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

interface CopyDialogProps {
  title: string;
  text: string;
  value: string;
  /** What the button says. Default: “Copy”. */
  copyLabel?: string;
  doneLabel: string;
  /** Gives the focus to what the reader came from, once the dialog is gone. */
  onLeft: () => void;
  onClose: () => void;
}

/** Shows a secret that is shown once, to be copied. */
export function CopyDialog({ title, text, value, copyLabel, doneLabel, onLeft, onClose }: CopyDialogProps) {
  return (
    <Dialog title={title} text={text} onLeft={onLeft} onClose={onClose}>
      <div className="mt-4">
        <CopyableText>{value}</CopyableText>
      </div>
      <div className="mt-6 flex justify-end gap-2">
        <Button variant="quiet" onClick={onClose}>
          {doneLabel}
        </Button>
        <CopyButton ref={focusedAtFirst} value={value} label={copyLabel} />
      </div>
    </Dialog>
  );
}
