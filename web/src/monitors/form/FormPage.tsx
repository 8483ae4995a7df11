import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { mayWrite, useRole } from "../../api/roles.ts";
import { Card } from "../../components/Card.tsx";
import { Refused } from "../../components/Loaded.tsx";
import { type Crumb, PageBar } from "../../components/PageBar.tsx";
import { Skeleton } from "../../components/Skeleton.tsx";
import { useKind, useKindTexts } from "../use-kind.ts";

interface FormPageProps {
  title: string;
  /** Where the way back leads: the monitor of that number, or the list. */
  back: { id: number; name: string } | null;
  children: ReactNode;
}

/** The frame of the pages with a monitor's form: one column, as wide as reads well; for those who may change one. */
export function FormPage({ title, back, children }: FormPageProps) {
  const k = useKindTexts();
  const { t } = useTranslation("monitors");
  const { pages } = useKind();
  const role = useRole();
  const list: Crumb = { label: k("title"), to: pages.list };
  const crumbs = back ? [list, { label: back.name, to: pages.one, params: { id: String(back.id) } }] : [list];
  return (
    <div className="mx-auto max-w-3xl">
      <PageBar crumbs={crumbs} heading={!back} title={back ? t("action.edit") : title} />
      {back && <h1 className="mb-5 text-xl font-semibold wrap-anywhere">{title}</h1>}
      {mayWrite(role) ? children : <Refused role={role} />}
    </div>
  );
}

/** The form's shape while what it needs is on its way. */
export function FormSkeleton() {
  return (
    <Card>
      <div aria-hidden className="grid gap-6 p-5">
        {["w-full", "w-full", "w-28"].map((width, at) => (
          <div key={`${at}-${width}`} className="grid gap-2.5">
            <Skeleton className="h-3.5 w-24" />
            <Skeleton className={`h-9 rounded-md ${width}`} />
          </div>
        ))}
      </div>
    </Card>
  );
}
