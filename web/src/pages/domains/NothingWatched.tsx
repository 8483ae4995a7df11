import { Radar } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/EmptyState.tsx";
import { AddDomainForm } from "./AddDomainForm.tsx";

/** A page of an organization without a domain: the way to the first one. `title`: the page's, for those who hear it. */
export function NothingWatched({ title }: { title: string }) {
  const { t } = useTranslation("kinds/domain");
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      <div className="pt-[6dvh]">
        <EmptyState
          icon={<Radar aria-hidden className="size-8" strokeWidth={1.25} />}
          title={t("empty.title")}
          text={t("empty.text")}
        >
          <AddDomainForm autoFocus />
        </EmptyState>
      </div>
    </>
  );
}
