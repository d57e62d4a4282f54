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
