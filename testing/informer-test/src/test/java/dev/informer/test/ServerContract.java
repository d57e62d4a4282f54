/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * What the embedded server and the real kube-apiserver have in common, as far as clients
 * can see it. Runs unchanged against both, so that the stand-in stays honest.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
abstract class ServerContract implements ListContract, PagingContract, WatchContract, StreamingListContract,
		LostHistoryContract, RepresentationContract, WriteContract, PatchContract, DeletionContract, RefusalContract,
		CustomResourceContract {

	private final AtomicInteger count = new AtomicInteger();

	private String namespace = "";

	@BeforeEach
	void createNamespace() {
		this.namespace = "contract-" + this.count.incrementAndGet();
		created("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + this.namespace + "\"}}");
	}

	@Override
	public String namespace() {
		return this.namespace;
	}

}
