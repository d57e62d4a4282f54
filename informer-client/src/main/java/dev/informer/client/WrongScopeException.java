/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

/**
 * Thrown when the API server serves a resource as cluster-scoped that is declared as
 * namespaced, or the other way around.
 */
class WrongScopeException extends IllegalStateException {

	private final String remedy;

	/**
	 * Create an exception.
	 * @param namespaces whether the informer selects namespaces
	 */
	WrongScopeException(ResourceType<?> declared, boolean namespaces) {
		super("the resource is " + text(!declared.namespaced()) + ", but declared as " + text(declared.namespaced()));
		String value = "namespaced = " + !declared.namespaced();
		Class<?> type = declared.type();
		String declaration = type.isAnnotationPresent(CustomResource.class)
				? "Set " + value + " in the annotation @CustomResource of " + type.getName()
				: "Declare " + declared.qualifiedName() + " with " + value + ", unless it is discovered";
		this.remedy = declaration + (namespaces ? ", and remove the namespaces of the informer." : ".");
	}

	private static String text(boolean namespaced) {
		return namespaced ? "namespaced" : "cluster-scoped";
	}

	/**
	 * Return the remedy as a sentence.
	 */
	String remedy() {
		return this.remedy;
	}

}
