/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

/**
 * Exception thrown when a bean that configures informers, such as an index function,
 * cannot be used.
 */
public class InvalidInformerBeanException extends InformerConfigurationException {

	/**
	 * Create an exception.
	 * @param bean the name of the bean
	 * @param reason the reason
	 * @param action the remedy
	 * @param cause the cause
	 */
	public InvalidInformerBeanException(String bean, String reason, String action, Throwable cause) {
		super("Bean '" + bean + "' cannot configure informers: " + reason, action, cause);
	}

}
