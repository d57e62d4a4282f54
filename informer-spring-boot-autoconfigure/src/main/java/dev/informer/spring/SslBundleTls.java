/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;

import dev.informer.client.connection.ServerDetails;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * {@link ServerDetails.Tls} from an {@link SslBundle}.
 */
record SslBundleTls(SslBundle bundle) implements ServerDetails.Tls {

	@Override
	public KeyManager[] keyManagers() {
		return this.bundle.getManagers().getKeyManagers();
	}

	@Override
	public TrustManager[] trustManagers() {
		return this.bundle.getManagers().getTrustManagers();
	}

	@Override
	public String @Nullable [] protocols() {
		return this.bundle.getOptions().getEnabledProtocols();
	}

	@Override
	public String @Nullable [] ciphers() {
		return this.bundle.getOptions().getCiphers();
	}

}
