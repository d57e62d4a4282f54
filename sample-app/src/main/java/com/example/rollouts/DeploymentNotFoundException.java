/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponseException;

/**
 * There is no such Deployment; answered as a problem detail.
 */
class DeploymentNotFoundException extends ErrorResponseException {

	DeploymentNotFoundException(String namespace, String name) {
		super(HttpStatus.NOT_FOUND);
		setDetail("There is no Deployment '%s' in the namespace '%s'".formatted(name, namespace));
	}

}
