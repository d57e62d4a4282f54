/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.tenants;

import java.time.OffsetDateTime;

import dev.informer.ObjectCopy;
import dev.informer.RetryLaterException;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandler.Retry;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiException;

import org.springframework.stereotype.Component;

@Component
class TenantStatuses {

	private static final int CONFLICT = 409;

	private final ObjectWriter writer;

	TenantStatuses(ObjectWriter writer) {
		this.writer = writer;
	}

	@InformerHandler(id = "tenantstatus", retry = @Retry(maxRetries = "-1"))
	void changed(Tenant tenant) throws ApiException {
		if (tenant.readySince().isPresent()) {
			return;
		}
		Tenant copy = ObjectCopy.of(tenant);
		copy.readySince(OffsetDateTime.now());
		try {
			this.writer.updateStatus(copy);
		}
		catch (ApiException ex) {
			if (ex.getCode() == CONFLICT) {
				throw new RetryLaterException("changed since");
			}
			throw ex;
		}
	}

}
