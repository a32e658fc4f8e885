import type { RefusalReason } from '../refusals/reason.ts';

/** Why a notice, or advice to payees, was not delivered. */
export type DeliveryFault =
  | { fault: 'no_time' | 'no_answer' | 'connection_closed' | 'run_taken_over' }
  /** In words of the network or of a server, in one short line. */
  | { fault: 'noted'; text: string }
  /** The mail server refused these of several. */
  | { fault: 'recipients_refused'; to: readonly string[] }
  | { fault: 'answered'; status: number }
  | { fault: 'refused'; reason: RefusalReason };

/** Where a notice goes. */
export type DeliveryWay = { way: 'email'; to: readonly string[] } | { way: 'webhook'; origin: string };

export type Undelivered = { to: DeliveryWay; why: DeliveryFault };

/** What is to be done about advice that was not sent. Rows by their numbers. */
export type AdviceToDo =
  | { todo: 'resume'; payees: number; why: DeliveryFault | null }
  | { todo: 'notify_otherwise' | 'ask_payees'; rows: readonly number[] };
