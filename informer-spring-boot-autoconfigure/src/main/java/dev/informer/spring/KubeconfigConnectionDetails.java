/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import dev.informer.client.connection.ServerDetails;
import org.jspecify.annotations.Nullable;

/**
 * {@link KubernetesConnectionDetails} from the current context of a self-contained
 * kubeconfig.
 */
record KubeconfigConnectionDetails(ServerDetails server) implements KubernetesConnectionDetails {

	@Override
	public String getUrl() {
		return this.server.getUrl();
	}

	@Override
	public @Nullable String getCaCertificate() {
		return this.server.getCaCertificate();
	}

	@Override
	public @Nullable String getClientCertificate() {
		return this.server.getClientCertificate();
	}

	@Override
	public @Nullable String getClientKey() {
		return this.server.getClientKey();
	}

	@Override
	public @Nullable String getToken() {
		return this.server.getToken();
	}

	@Override
	public @Nullable String getNamespace() {
		return this.server.getNamespace();
	}

	@Override
	public boolean isVerifyTls() {
		return this.server.isVerifyTls();
	}

}
