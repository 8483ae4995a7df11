import { Organization, OrganizationMember } from "../legacy/organizations.ts";
import { snakeSchema } from "./snake-case.ts";

export const V2Organization = snakeSchema(Organization);
export const V2Member = snakeSchema(OrganizationMember);
