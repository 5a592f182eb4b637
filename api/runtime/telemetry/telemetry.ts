import type { Logger } from 'pino';
import type { TelemetrySettings } from '#api/runtime/config/telemetry.ts';
import type { Telemetry } from './port.ts';

/**
 * Begins to export spans where a collector is configured; otherwise undefined, and no module of OpenTelemetry is loaded. A
 * collector that does not answer costs spans and one line in the log, and never delays what is traced.
 */
export async function openTelemetry(
  settings: TelemetrySettings | undefined,
  process: Readonly<{ role: string; logger: Pick<Logger, 'info' | 'warn'> }>,
): Promise<Telemetry | undefined> {
  if (!settings) return undefined;
  const { startExport } = await import('./otlp.ts');
  return startExport(settings, process);
}
