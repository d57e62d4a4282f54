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
 * Common behaviour of the embedded server and the real kube-apiserver, as seen by
 * clients. The same cases run against both.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
abstract class ServerContract implements ListContract, PagingContract, WatchContract, StreamingListContract,
		CompactionContract, RepresentationContract, WriteContract, PatchContract, DeletionContract, RejectionContract,
		CustomResourceContract, ApplyContract {

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
