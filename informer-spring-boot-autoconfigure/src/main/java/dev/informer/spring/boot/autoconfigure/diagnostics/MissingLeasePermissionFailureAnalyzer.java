/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import dev.informer.spring.MissingLeasePermissionException;
import dev.informer.spring.config.RbacManifest;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link AbstractFailureAnalyzer} for {@link MissingLeasePermissionException}.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class MissingLeasePermissionFailureAnalyzer extends AbstractFailureAnalyzer<MissingLeasePermissionException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, MissingLeasePermissionException cause) {
		String name = cause.leaseName();
		RbacManifest manifest = new RbacManifest();
		if (name != null) {
			manifest.addLease(cause.leaseNamespace(), name);
		}
		else {
			manifest.addLeases(cause.leaseNamespace());
		}
		return new FailureAnalysis(cause.getMessage(),
				"Grant the verbs get, list, watch, create" + ((name != null) ? " and update" : ", update and delete")
						+ " on leases.coordination.k8s.io in the namespace " + cause.leaseNamespace()
						+ ". The following manifest grants them once it is bound to the service account:\n\n"
						+ manifest.toYaml((name != null) ? "informer-leader" : "informer-sharding"),
				cause);
	}

}
