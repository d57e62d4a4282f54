/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.writing;

import java.time.Duration;

import dev.informer.SharedIndexInformer;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;

class Settings {

	private final ObjectWriter writer;

	private final SharedIndexInformer<V1ConfigMap> informer;

	Settings(ObjectWriter writer, SharedIndexInformer<V1ConfigMap> informer) {
		this.writer = writer;
		this.informer = informer;
	}

	boolean replace(V1ConfigMap settings) throws ApiException, InterruptedException {
		V1ConfigMap written = this.writer.apply(settings);
		return this.informer.awaitAtLeast(written, Duration.ofSeconds(5));
	}

}
