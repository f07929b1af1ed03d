import './resolveGatewayHost.js';

/** The host of the Gateway of overlays/production. */
export const gatewayHost = 'api.gradeway.test';
