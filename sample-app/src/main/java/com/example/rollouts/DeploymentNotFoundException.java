/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponseException;

/**
 * Exception for an unknown Deployment, rendered as problem details.
 */
class DeploymentNotFoundException extends ErrorResponseException {

	DeploymentNotFoundException(String namespace, String name) {
		super(HttpStatus.NOT_FOUND);
		setDetail("Unknown Deployment '%s' in namespace '%s'".formatted(name, namespace));
	}

}
