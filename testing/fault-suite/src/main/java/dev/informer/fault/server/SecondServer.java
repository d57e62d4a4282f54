/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.server;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import dev.informer.fault.proxy.FaultProxy;
import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.ControlPlaneBuilder;

/**
 * Second API server on the etcd of a cluster, with a proxy between the two.
 *
 * @param controlPlane the API server; its own etcd is unused
 * @param etcdProxy the proxy between the API server and the etcd of the cluster
 */
public record SecondServer(ControlPlane controlPlane, FaultProxy etcdProxy) implements AutoCloseable {

	static SecondServer start(ControlPlane first, List<String> users, Map<String, String> flags) throws IOException {
		FaultProxy etcdProxy = new FaultProxy(first.etcdUrl().getPort());
		ControlPlaneBuilder builder = ControlPlane.fromEnvironment()
			.apiServerFlag("etcd-servers", "http://127.0.0.1:" + etcdProxy.port());
		users.forEach((user) -> builder.user(user, first.token(user)));
		flags.forEach(builder::apiServerFlag);
		return new SecondServer(builder.start(), etcdProxy);
	}

	/**
	 * Return the port of the API server.
	 */
	public int port() {
		return this.controlPlane.url().getPort();
	}

	@Override
	public void close() {
		this.controlPlane.close();
		this.etcdProxy.close();
	}

}
