/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Application on the module path.
 */
module com.example.modular {

	requires dev.informer;

	// a class of a custom resource is decoded field by field
	opens com.example.modular to dev.informer.client;

}
