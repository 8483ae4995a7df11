import { EditMonitorPage } from "../form/EditMonitorPage.tsx";
import { NewMonitorPage } from "../form/NewMonitorPage.tsx";
import { domainForm } from "./domain-form.ts";

/** A new domain. */
export const NewDomainPage = () => <NewMonitorPage form={domainForm} />;

/** The settings of a domain. */
export const EditDomainPage = () => <EditMonitorPage form={domainForm} />;
