import ipaddr from 'ipaddr.js';

/** A public range, but a service of the host: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16 */
const hostServices = ['168.63.129.16'];
/** https://www.iana.org/assignments/ipv6-unicast-address-assignments */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** Networks without IPv4 reach it so: https://www.rfc-editor.org/rfc/rfc6052#section-2.1 */
const nat64 = ipaddr.parseCIDR('64:ff9b::/96');

/** Whether the address is one host of the public internet; false if unknown. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.range() === 'unicast' && !hostServices.includes(address.toString());
  if (address.match(nat64)) return isPublicAddress(address.toByteArray().slice(-4).join('.'));
  return address.range() === 'unicast' && address.match(globalUnicast);
}
