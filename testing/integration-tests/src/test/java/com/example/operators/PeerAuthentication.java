/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.informer.client.CustomResource;
import io.kubernetes.client.openapi.models.V1LabelSelector;

/**
 * Of Istio, with numbers as keys, and a status without a class.
 */
@CustomResource(group = "security.istio.io", version = "v1beta1", plural = "peerauthentications")
class PeerAuthentication extends Resource<PeerAuthentication.Spec, Object> {

	static Map<Integer, Mtls> strict(int port) {
		return Map.of(port, new Mtls(Mode.STRICT));
	}

	static class Spec {

		V1LabelSelector selector;

		Mtls mtls;

		ConcurrentHashMap<Integer, Mtls> portLevelMtls;

	}

	record Mtls(Mode mode) {
	}

	enum Mode {

		UNSET, DISABLE, PERMISSIVE {

			@Override
			boolean isLax() {
				return true;
			}

		},
		STRICT;

		boolean isLax() {
			return false;
		}

	}

}
