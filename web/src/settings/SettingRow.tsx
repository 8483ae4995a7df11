import type { ReactNode } from "react";

/** A setting in a line: what it is, how it stands, and at the right what can be done about it. */
export function SettingRow({
  title,
  text,
  children,
}: {
  title: string;
  text: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line px-4 py-3.5 first:pt-1.5 [div+&]:border-t">
      <div className="min-w-0 grow basis-64">
        <h3 className="font-medium">{title}</h3>
        <div className="text-sm text-pretty wrap-anywhere text-ink-muted">{text}</div>
      </div>
      {children && <div className="flex flex-wrap gap-2">{children}</div>}
    </div>
  );
}
