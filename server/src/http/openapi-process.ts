/** A process of its own that builds the OpenAPI document and writes it to standard output. */
import { buildOpenApi } from "./build-openapi.ts";

process.stdout.write(JSON.stringify(await buildOpenApi()));
