"""The Unicode tables of Go 1.26, numbers in base 36; see unicode.py for their use.

Printed by tests/golang/oracle ("oracle tables"), not written by hand. Scripts whose names hold an underscore or
a second capital letter are left out: Go's package regexp/syntax does not find them.
"""

VERSION = "15.0.0"

RANGES = """
    Cc 0.w 2n.x Cf 4t 11u.6 m 5c 1d ao.2 28 2zv 1ks.5 q.5 1d.5 1.a 17yn 6x.3 3b5 f 6zm.g qxs.4 43z.8 h406 u.2o Co
    188w.4xs jpc0.1eke 2.1eke Cs 16o0.1kw Ll 2p.q 1m 15.o 1.8 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1.2
    1 1 1 1 1 1 1 1.2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 1 1.3 2 1 2 3.2 4 2 3.3 2 2 1 1 2 1.2 1 2 3 1 2.2
    2.3 6 2 2 1 1 1 1 1 1 1 1.2 1 1 1 1 1 1 1 1 1.2 2 1 3 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1.7 2
    2.2 1 4 1 1 1 1.1x 1.r 5d 1 3 3.3 i r.z 1.2 3.3 1 1 1 1 1 1 1 1 1 1 1 1.5 1 2 2.2 1f.1c 1 1 1 1 1 1 1 1 1 1 1 1 1 1
    1 1 1 9 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 1 1 1 1 1 1.2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
    1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1c.15 287.17 2.3 l4.6 1oi.9 3b.18 1r.d 1.y 2u 1 1 1 1 1 1 1
    1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
    1 1 1 1 1 1 1 1 1.9 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
    1.9 8.6 a.8 8.8 8.6 a.8 8.8 8.e 2.8 8.8 8.8 8.5 1.2 6 3.3 1.2 8.4 2.2 8.8 a.3 1.2 7m 3.2 3 r 4 4 2.2 8.4 4 1h 23v.1c
    1 3.2 1 1 1 4 1.2 1.6 5 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
    1 1 1.2 7 1 4 c.12 1 5 nwz 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 j 1 1 1 1 1 1 1 1 1 1 1 1 1 3r 1 1 1 1 1 1.3
    1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1.8 1 1 2 1 1 1 1 4 1 2 1.3 1 1 1 1 1 1 1 1 1 1 5 5 1
    1 1 1 1 1 1 4 1 6 1 1 1 1 s 3 mt.17 5.9 7.28 fnk.7 c.5 tl.q y5.14 3s.10 4b.b 1.f 1.7 1.2 1dv.1f 2bx.w gw0.w k2i.q
    q.7 1.i q.q q.4 1 1.7 1.b q.q q.q q.q q.q q.q q.q q.q q.q q.s s.p 1.6 q.p 1.6 q.p 1.6 q.p 1.6 q.p 1.6 1 1f8.a 1.k
    6.6 1yv.y Lm j4.i 4.c e.5 7 1 3p 5 da 6e 4k.2 7h.2 4 v 9 3 4g 4n yc 3j fp 1cq 2z gz cw.6 4u.1r d y.11 j5 d g.d 2cf.2
    6p 5b d1 17.5 5 2p.2 2l.3 lxy yq.6 7i 36 s.2 3d.9 28 n 2x.3 3.2 d1 m 3t 30 l.2 2v.4 9 gli 19.2 1k0.6 1.16 1.9 jnp.4
    un.d 1s.2 1 cng.4 1.7 1.2 9ip.1q 5l.7 q5 v3 Lo 4q f 74 4.4 5s mz.r 4.4 19.w 1.a z.2 1.2r 1 o.2 a.3 2 g 1.u t.2h b
    o.x l.m 16.p 7.b 5.o 1.6 h.15 1n.1i 3 i 7.a g.f 4.8 2.2 2.m 1.7 1 3.4 3 g d.2 1.3 e.2 a 8.6 4.2 2.m 1.7 1.2 1.2 1.2
    v.4 1 j.3 g.9 1.3 1.m 1.7 1.2 1.5 3 i f.2 n b.8 2.2 2.m 1.7 1.2 1.5 3 u.2 1.3 f h 1.6 3.3 1.4 3.2 1 1.2 3.2 3.3 3.c
    m 1g.8 1.3 1.n 1.g 3 q.3 2 2.2 u 4.8 1.3 1.n 1.a 1.5 3 v.2 1.2 f.2 h.9 1.3 1.15 2 g 5.3 8.3 o.6 5.i 3.o 1.9 1 2.7
    1m.1c 1.2 c.6 1n.2 1 1.5 1.o 1 1.a 1.2 9 2.5 n.4 w 1r.8 1.10 r.5 37.17 k g.6 4.4 3 3.2 7.3 4.d c 35.95 1.4 2.7 1 1.4
    2.15 1.4 2.x 1.4 2.7 1 1.4 2.f 1.1l 1.4 2.1v 11.g 35.h8 2.h 1.q 5.23 6.8 7.i d.j e.i e.d 1.3 f.1g 14 1v.z 1.1h 7.5
    2.y 1 5.1y a.v 1d.u 2.5 b.18 4.q 1i.n 9.1h 4w.1b h.8 1i.u d.2 a.18 q.10 15.3 a.u 35.4 1.6 1.2 3 u2.4 2d3.1k o.n 9.7
    1.7 1.7 1.7 1.7 1.7 1.7 1.7 fb 1h 4.2e 8 1.2i 4 5.17 1.2m h.w 1c.g e8.534 1s.g7p 1.vr 1v.14 8.7g 4.g a.2 1u 1d.1y 4p
    2v 3.7 1.3 1.4 1.n t.1g e.1e 1q.6 3 1.2 b.s a.n p.t 7.1b 19.5 2.9 a.5 1.15 n.3 1.8 k.g 1.6 3 3.1e 1 3.2 2.5 2 1 o.2
    3.b 7 e.6 2.6 2.6 9.7 1.7 41.z t.8mc c.n 4.1d 6is.a6 2.2y 1v 1.a 1.d 1.5 1 1.2 1.2 1.30 x.a3 i.1s 2.1i 14.c 38.5
    1.3r 2x.a 1.19 2.v 3.6 2.6 2.6 2.3 z.c 1.q 1.j 1.2 1.f 2.e y.3f at.t 3.1d 1b.w d.k 1.8 6.12 a.u 2.10 4.8 3k.26 2q.14
    8.1g 4c.8n 9.m a.8 48.6 2 1.18 1.2 3 2.n a.n 9.v 1t.j 1.2 a.m a.q 1y.1k 6.2 1s f.4 1.3 1.t 16.t 3.t z.8 1.s r.1i a.m
    a.j d.i 32.21 53.10 9o.16 6.2 26.t a 8.m 16.i 1a.l r.n c.1h 1l.2 2 d.19 w.p q.10 t 2 8.z 3 c.1c e.4 l 1 z.i 1.p j.2
    1r.7 1 1.4 1.f 1.a 7.1b 12.8 2.2 2.m 1.7 1.2 1.5 3 i c.5 4e.1h i.4 k.3 u.1c k.2 1 54.1b 15.4 10.1c k 1n.17 d 1z.r
    11.7 55.18 5v.8 2 2.8 1.2 1.o f 1 2m.8 2.13 g 1 s a.14 7 l b.1a j i.21 7b.9 1.11 h 1d.u 34.7 1.2 1.12 l p.6 1.2 1.w
    e 93.j f 1.d 1.y 3g 27.pm 6e.5g 218.2p f.ts h.6 33t.g7 6nt.ft 7.v h.27 h.u i.1c 1f.l 5.j og.23 5 4v.4qg 8.ye 16.9
    6wn.83 f t.3 2 e.4 8.b0 1s4.2z 5.d 3.9 7.a 6sw dx.19 x 8x.u i.18 dg.r l1.7 1.4 1.2 1.f 1.5h 117.4 1.r 1.2 1 2 1.a
    1.4 1 1 6 4 1 1 1.3 1.2 1 2 1 1 1 1 1.2 1 2.4 1.7 1.4 1.4 1 1.a 1.h 5.3 1.5 1.h 3es.wyo w.37e 6.66 2.4g2 e.5rl
    2e7.f2 15u.3t7 5.38g Lt cl 2 2 12 5ud.8 8.8 8.8 c f 1b Lu 1t.q 2t.n 1.7 x 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
    1 1 1 1 1 1 2 1 1 1 1 1 1 1 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1.2 1 1 3.2 1 1.2 1.3 2.4 1.2 1.3 3.2 1.2
    1 1 1.2 1 2 1.2 1.3 1 1.2 3 7 2 2 2 1 1 1 1 1 1 1 2 1 1 1 1 1 1 1 1 2 2 1.3 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
    1 1 1 1 1 1 1 1 1 7.2 1.2 2 1.4 1 1 1 1 81 1 3 8 6 1.3 1 1.2 1.h 1.9 z 2.3 3 1 1 1 1 1 1 1 1 1 1 1 5 2 1.2 2.1f 1c 1
    1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 9 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1.2 1 1 1 1 1 1 2 1 1 1 1 1 1 1
    1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2.12 289.12 1 5 k2.2e 1p6.17 2.3 8w
    1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
    1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 9 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
    1 1 1 1 1 1 1 9.8 8.6 a.8 8.8 8.6 b 1 1 1 8.8 20.4 c.4 c.4 c.5 b.4 7a 4 3.3 2.3 2 3.5 6 1 1 1.4 2.4 a.2 5 1p 22k.1c
    1c 1.3 2 1 1 1.4 1 2 8.3 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
    1 1 1 8 1 4 nyl 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 j 1 1 1 1 1 1 1 1 1 1 1 1 1 3r 1 1 1 1 1 1 3 1 1 1 1 1 1
    1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 a 1 1.2 1 1 1 1 4 1 2 1 3 1 1 1 1 1 1 1 1 1 1.5 1.5 1 1 1 1 1 1 1
    1.4 1 6 5 1 s h7v.q xx.14 3s.10 4c.b 1.f 1.7 1.2 1d6.1f 2ct.w gw0.w k2o.q q.q q.q q 1.2 2 2.2 2.4 1.8 q.q q.2 1.4
    2.8 1.7 r.2 1.4 1.5 1 3.7 r.q q.q q.q q.q q.q q.q u.p x.p x.p x.p x.p x 3ed.y Mc 1s3 1j 2.3 8.4 1.2 1e.2 1m.3 6.2
    2.2 a 17 1m.3 1u 1m.3 8 1.2 1h.2 1m 1 6.2 2.2 a 2u.2 1.2 3.3 1.3 a 15.3 1p.4 1p.2 1m 1.5 2.2 1.2 9.2 s e.2 1m.3 5.3
    1.3 a 16.2 23.3 6.8 i.2 96.2 1r 4r.2 4 6 2.2 p.2 a.3 2.7 l.2 2.6 2 a.3 1a0 u 3l 7.8 1.2 9m.4 2.3 4.2 1.6 68.2 1m 1 9
    1.2 8.6 41 1c 5 1.5 1.2 1p u 4.2 2 1o 2.3 1 3.2 1c.8 8.2 4r l 3sm.2 noz.2 2 2g.2 1e.g 3y.2 1b 1c.2 4.2 2.3 32.2 2.2
    o 19 1 31 2.2 5 6l.2 1.2 1.2 1 jrn 1 3j 19.3 4.2 37 o.2 1n 1c.3 9.2 d 2l.3 3.2 1 4q.3 v.2 1m.2 1.4 2.2 2.3 9 a.2
    5t.3 8.2 3 2y.3 6 1.4 2 6l.3 6.4 2 35.3 8.2 1 31 1.2 6 2x.2 4 79.3 9 6v.6 1.2 4 2 1 3y.3 8.4 4 2c t.2 1q bb e 2y 7 2
    5x.5 4.2 1 9q.2 c 1c.2 8.2 1 ftb.1j 2w.2 j8z.2 6.6 Me w8.2 4dw 17i.4 1.3 qdn.3 Mn lc.34 7n.5 7d.19 1 1.2 1.2 1 20.b
    1c.l g 2t.7 2.6 2.2 1.4 z u.r 2j.b 1m.9 9 o.4 1.9 1.3 1.5 17.3 1o.8 16.o 1.w 1j 1 4.8 4 3.7 a.2 t 1m 4.4 8 k.2 q 2.2
    1l 4.2 4.2 2.3 3 u.2 3 b.2 1l 4.5 1.2 4 k.2 m.6 1 1m 2 1.4 8 7.2 b.2 u 1p c 1e 3 1j 1.3 5.3 1.4 7.2 b.2 t 1m 2 6 5.2
    k.2 s.2 1l.2 4.4 8 k.2 t 20 7.3 1 2i 2.7 c.8 2q 2.9 b.7 21.2 r 1 1 1j.e 1.5 1.2 5.b 1.10 9 2u.4 1.6 1.2 2.2 p.2 4.3
    g.4 d 2.2 6 f jj.3 qa.3 t.2 u.2 u.2 1s.2 1.7 8 2.b 9 19.3 1 39.2 y 3a.3 4.2 9 6.3 63.2 2 1m 1.7 1 1 2.8 6.a 2 1c.e
    1.g 1d.4 1c 1.5 1 5 14.9 c.2 w.4 2.2 1.3 1k 1.2 3 1.3 1m.8 2.2 48.3 1.d 1.7 4 6 3.2 5i.1s k0.d 4 3.c 2da.3 3x 2o.w
    fe.4 2z.2 n9w 4.a w.2 28.2 7k 3 4 p.2 5 47.2 q.i d 12.8 p.b 1a.3 1c 2.4 2.2 13 1v.6 2.2 2.2 c 8 1b 1f 1.3 2.2 5.2 1
    16.2 8 6m 2 4 fn4 kh.g g.g r1 6a 45.5 1ae.3 1.2 5.4 14.3 4 4l.2 fx.4 ar.2 28.3 1y.b 1d.4 3f 1i.f 15 2.2 a.3 1d.4 2.2
    7 1p.3 10.5 1.8 1q c.2 1g.9 a.4 2 2n.3 2 1.2 6 2 4d 3.8 l.2 1l.2 3 11.7 3.5 5f.8 2.3 1 n 2c.6 1 4.2 1.2 6m.4 6.2 1.2
    r.2 2d.8 2 1.2 2y 1 2.6 1 2t.3 2.4 1.5 77.9 1.2 74.2 1 4 40.4 2.2 4 w.a 14.6 2.4 8 9.6 2.3 1a.d 1.2 ba.7 1.6 1 2a.m
    2.7 1.2 1.2 3e.6 3 1.2 1.7 1 20.2 3 1 9n.2 b.2 1g.5 5 1 459 6.f asa.5 1n.7 t4 1r.4 29 f5k.2 3mp.1a 2.n f4.3 h.8 2.7
    u.4 44.3 1iz.1j 4.1e 8 e m.5 1.f 11s.7 1.h 2.7 1.2 1.5 2s 4g.7 af 1p.4 e4.4 rk.7 31.7 gzhx.6o Nd 1c.a 17q.a 3q.a
    5i.a bg.a 3a.a 3a.a 3a.a 3a.a 3a.a 3a.a 3a.a 3a.a 3a.a 2o.a 3a.a 1y.a 7q.a 1y.a 1fq.a 12.a 8c.a 3k.a 4m.a 6.a 52.a
    2e.a 3q.a 6.a r7q.a iu.a 12.a 5i.a m.a 2e.a ba.a geu.a 13a.a 1om.a mk.a 3k.a 1o.a 40.a 7q.a 9i.a 3a.a ae.a 2u.a 2u.a
    bq.a 2u.a l2.a 6u.a 1y.a bq.a eti.a 2e.a 3q.a lf8.1e 1ts.a bq.a dy.a uu.a 3o6.a Nl 4j2.3 227.z 2.4 2v2 p.9 e.3 nfv.a
    hu8.1h cs 8 3q.5 6cq.33 No 4y.2 5 2.3 1th.6 ag.6 3c.3 3p.7 61.7 h.9 c1.a tx.k vn.a dc 1at 3.6 6.a 5i.g 15 k6.1o 26.m
    hi.u 12h wk.4 3u.a u.8 1.f w.a 13.f n74.6 hjl.19 1t.4 h.2 9h.r 10.4 110.8 p.7 13.9 23.5 m.6 4g.2 2.g 2.1a 1s.9 1g.2
    u.3 23.5 2w.8 o.8 15.7 96.6 9s.v 4e.a 16.4 34.7 3q.k aj.k 11h.2 by.9 o7.j nn.l ex2.7 m6.n js9.k c.k 30.p 47i.9 pt.1n
    1.3 1.4 24.19 1.f qq.d Pc 2n 6an.2 j 17tq.2 o.3 6n Pd 19 124 1f 2td sl 1l5.6 2rl 2 v.2 4 s ce j 33 14ls.2 11 a 4p
    333 Pe 15 1f v 2wt 1 1ge 1wp 1j f hm 1 u u6 1 1 1 1 1 1 28 w 1 1 1 1 b8 1 1 1 1 1 1 1 1 1 1 1s 1 x th 1 1 1 18 1 1 1
    bw 1 1 1 1 3 1 1 1 2.2 14im 61 t 1 1 1 1 1 1 1 3 h 1 1 4q 1f v 2 2 Pf 57 671 3 s 2q0 1 4 2 f 3 Pi 4r 67g 2.2 2 p 2q0
    1 4 2 f 3 Po x.3 1.3 2 1 1.2 a.2 3.2 r 1w 5 e.2 7 ji 8 cy.6 15 1i 2 2 18.2 k.2 1.2 d 1.3 22.4 2u 17.e 6h.3 1i.f v
    79.2 a 3w 3c 3d au c a7 2i a.2 4o.f 1 34 22.5 4.2 33.6 4r h0.9 lh 3g.3 1z.2 4d.3 1.3 11.6 1.4 8p.2 60.2 3k.7 1.6
    4s.7 s.2 3h.4 1n.5 1q.2 1s.8 b n6.2 8.8 8.9 2.4 2.3 3.b 1 1.a 2hm.4 1.2 34 3z.2 4.3 2 2.9 1.2 1 2.2 a.5 1.a 2.4 1
    1.d 2.3 bw.3 1l 59 mwy.2 7h.3 2r a 37.6 ak.4 2e.2 14.3 1 1d.2 1b 2p.d g.2 3g.4 3i.2 g.2 6x g84.7 2 m k.2 2.4 3.3 1.4
    7.3 6 1.2 45.3 1.3 2 1 1.2 a.2 3.2 r 10 2.2 be.3 ik 1c bi kn 5j v 7k.9 12 34.7 1u.7 2h.4 qg.5 18.4 59.7 31.2 1.4
    3i.4 1c.2 27.4 4 d 1.3 2g.6 2z bl.5 a.2 1 2w 6y.n 2x.3 s.d 24 3m.3 70 7c.3 4b 2k.8 2b.3 1.5 2l.a 8n.5 16.2 hx.2 22.d
    4v vk.5 29o.2 bjv.2 3p 1t.5 8 nm.4 93 f5o 5wn.5 2xe.2 Ps 14 1e v 2wu 1 1ge 1vi 3 12 1j f hm 1 u u6 1 1 1 1 1 1 28 w
    1 1 1 1 b8 1 1 1 1 1 1 1 1 1 1 1s 1 x th 1 1 1 p i 1 1 1 bw 1 1 1 1 3 1 1 1 2 14ip 5z t 1 1 1 1 1 1 1 3 h 1 1 4q 1e
    v 3 2 Sc 10 3h.4 yx 3f du.2 du.2 7 6t 7b g5 1wb 1qc.x qrb gxv 30 4a 63.2 3.2 6ba.4 12ji 1ww Sk 2m 1 1z 6 4 3 eh.4
    c.e 5.7 1 1.h 39 e.2 zm 4l0 1.3 b.3 d.3 d.3 d.2 3a4.2 ndv.n 9.2 2v.2 r4 e.2 fuu.h or 1 4i 1c7r.5 Sm 17 g.3 1p 1 19 4
    11 v la en.3 56j d 13.3 d.3 3v 13.5 6 1w.5 5.2 4 2 2 7 v.2 2 1 v.7g w.2 2i u.p 14.6 d1 9 1i.8 33 9c.5 2.v a.g 74.3n
    m.1r 4.w 2.76 1c.l 2.6 1524 mw 1.3 4k g.3 1p 1 3n 6.4 16fo p v p v p v p v p 4ks.2 So 4m 2 4 1 r5 7e.2 3j.2 5q a j.2
    6v eb ad 3m.6 1 3o 5r 15 av.3 f 1.3 2.6 k 1 1 3p.8 1.6 1.2 5.4 5h.2 kw.a k3 k2 4d.y 9t.a 9.9 137.2 1.4 1.2 a 1.2 6.6
    1 1 1 4 b.2 e 1.2 1 1m.2 9.5 2.4 1.2 1.2 1.7 1.v 2.2 1 1.v 7g.8 4.k 2.7 2.29 1.u p.14 6.1x p.b 29.26 m.53 1.9 1.1i
    8.33 1.6w 18.18 1s.74 e8.1c l.2 6.13 2.w 1.2x 6d.6 9x.2 1a.q 1.2h c.5y q.c 8 d.2 c l.2 6.2 9c.2 4.a w.10 s.v b.u 8
    f.w a.13 f.8w 534.1s h3k.1j o1.4 a.2 1 fx.3 gcm.g 3j 19.3 dg 3 4.2 d.2 8p.9 1l.h 2.3 1.d 3 1b.19 1a2.2 gf 2gm 1p1.8
    4.h eve.4 5 g2e 3oz.38 1o.6u a.13 2.1o 5.3 m.2 7.u 4.1p l.1u 3 56.2f x5.e8 1j.4 1e.8 1.e 1.2 1c8 28s 3l k1.18 4.2s
    c.f 2.f 1.f 1.11 n.4h 1k.t d.18 4.9 7.2 e.6 4a.6z 5.k8 4.h 3.d 3.3b 4.2n 6.c 4 f.c 4.1k 8.a 6.14 8.u 2.2 26.9g c.e
    2.d 3.9 7.1a 1.7 8.e 4.9 7.9 7.43 1.1j Zl 6co Zp 6cp Zs w 3j 4bj 1vj.b 10 1b 334 Adlam 2olc.24 4.a 4.2 Ahom 1j40.r
    2.f 4.n Arabic 16o.5 1.6 1.e 1.3 1.w 1.a b.q 1.30 1.y 28.1c 6o.v 1.2 6.22 1.t 1bv4.37 g.a3 2.28 2.1i 7 w.g 34.5 1.3r
    31f.v 3i.3 181s.4 1.r 1.2 1 2 1.a 1.4 1 1 6 4 1 1 1.3 1.2 1 2 1 1 1 1 1.2 1 2.4 1.7 1.4 1.4 1 1.a 1.h 5.3 1.5 1.h
    1g.2 Armenian 10x.12 2.1e 2.3 1chv.5 Avestan 1gqo.1i 3.7 Balinese 5c0.25 3.1b Bamum www.2g 124o.ft Batak 5hc.1g 8.4
    Bengali 1vk.4 1.8 2.2 2.m 1.7 1 3.4 2.9 2.2 2.4 8 4.2 1.5 2.p Bhaiksuki 1k3k.9 1.19 1.e a.t Bopomofo kq.2 93t.17
    34.w Brahmi 1hq8.26 4.10 9 Braille 7wg.74 Buginese 54w.s 2.2 Buhid 4lc.k Carian 1f34.1d Chakma 1hxc.1h 1.i Cham
    xkw.1j 9.e 2.a 2.4 Cherokee 3vk.2e 2.6 twy.28 Chorasmian 1ho0.s Common 0.1t q.6 q.1b 1.f 1.5 n v ch.13 5.5 2.k 38 9
    6 1 hp 6 e 3 w 4c ec 3l.2 yh b9.4 82 167.3 1z.2 5n.2 1 y5 d 7.4 1.6 1.3 2 lh.c 2.2f 1.b 3.b 1.f h.x 1r.12 1.3 2.6
    1.r 1.h 15.3 4.if p.b l.ps 74.hg 2.w 1.2x e8.2m b6.c 4.5 1 1.p f.8 4.4 2j.2 3 2i.2 43.g w.10 1o.1s v.29 1b 2g.4o
    534.1s hkw.y 2u.3 4l.a 6s 4g az e.2 g5u.2 5s.a m.z 1.j 1.4 43 1.w q.6 q.b a 19.2 1s.7 1.7 a.5 76.3 4.19 3.9 28.d
    1f.19 6c.r 10o4.4 3os.38 1o.6u a.13 2.1q 3.h 8.2 7.u 4.1p 5x.k c.k c.2f 9.p 3r.2d 1.1z 1.2 2 2.2 2.4 1.c 1 1.7 1.1t
    1.4 2.8 1.7 1.s 1.4 1.5 1 3.7 1.9g 2.84 2.1e 41d.1w 24.1p jm.18 4.2s c.f 2.f 1.f 1.11 a.4u 1k.q 1.2 d.18 4.9 7.2 e.6
    4a.rc 4.h 3.d 3.3b 4.2n 6.c 4 f.c 4.1k 8.a 6.14 8.u 2.2 26.9g c.e 2.d 3.9 7.1a 1.7 8.e 4.9 7.9 7.43 1.1j 11.a gvlz
    u.2o Coptic rm.e 80g.38 5.7 Cuneiform 1kw0.pm 2u.33 1.5 b.5g Cypriot 1g5c.6 2 1.18 1.2 3 2 Cyrillic sg.3p 2.4p 4ls.9
    4i 24 38n.w nr4.2o ham.2 18n4.1q x Deseret 1fcw.28 Devanagari 1s0.29 4.f 2.q vhc.w mio.a Dogra 1jb4.1o Duployan
    2fpc.2z 5.d 3.9 7.a 2.4 Elbasan 1fk0.14 Elymaic 1hpc.n Ethiopic 3k0.21 1.4 2.7 1 1.4 2.15 1.4 2.x 1.4 2.7 1 1.4 2.f
    1.1l 1.4 2.1v 2.w 3.q 546.n 9.7 1.7 1.7 1.7 1.7 1.7 1.7 1.7 opu.6 2.6 2.6 9.7 1.7 1qk1.7 1.4 1.2 1.f Georgian 3a8.12
    1 5 2.17 1.4 2a8.17 2.3 37k.12 1 5 Glagolitic 8ow.2o 2e1s.7 1.h 2.7 1.2 1.5 Gothic 1f74.r Grantha 1ibk.4 1.8 2.2 2.m
    1.7 1.2 1.5 2.9 2.2 2.3 2 6 5.7 2.7 3.5 Greek og.4 1.3 2.4 1 4 1 1.3 1 1.k 1.1r e.g 4yu.5 1e.5 4.5 2c 8w.m 2.6 2.12
    2.6 2.8 1 1 1 1.v 2.1h 1.f 1.e 2.6 1.j 2.3 1.9 87 rb2 gyi.27 h 155r.1y Gujarati 22p.3 1.9 1.3 1.m 1.7 1.2 1.5 2.a
    1.3 1.3 2 f.4 2.c 7.7 Gurmukhi 1z5.3 1.6 4.2 2.m 1.7 1.2 1.2 1.2 2 1.5 4.2 2.3 3 7.4 1 7.h Han 96o.q 1.2h c.5y 1b 1
    p.9 e.4 qs.534 1s.g74 hkw.a6 2.2y n48.2 c.2 sge.wyo w.37e 6.66 2.4g2 e.5rl 2e7.f2 15u.3t7 5.38g Hangul 3cw.74 5ym.2
    75.2m 35.v 1t.v nhd.t hv.8mc c.n 4.1d 7tw.v 3.6 2.6 2.6 2.3 Hanunoo 4kg.l Hatran 1gbk.j 1.2 5.5 Hebrew 13l.1j 8.r
    4.6 1cfc.q 1.5 1 1.2 1.2 1.a Hiragana 9j5.2e 6.3 23q9.7z i t.3 crx Inherited lc.34 7p.2 ck.b q kg.4 3ff.v e9.3 1.d
    1.7 4 6 3.2 5i.1s ek.2 5e.x 309.4 2z.2 14kl.g g.e r3 6a 38a 1138.1a 2.n f4.3 h.8 2.7 u.4 h45u.6o Javanese xhc.26 2.a
    4.2 Kaithi 1hts.1v a Kannada 2gw.d 1.3 1.n 1.a 1.5 2.9 1.3 1.4 7.2 6.2 1.4 2.a 1.3 Katakana 9lt.2i 2.3 6o.g 5s.1b
    1.2g 14b2.a 1.19 ytu.4 1.7 1.2 1 7z.3 1e e.4 Kawi 1kow.h 1.15 3.s Kharoshthi 1gjk.4 1.2 5.8 1.3 1.t 2.3 4.a 7.9
    Khmer 4n4.2m 2.a 6.a di.w Khojki 1i4g.i 1.1b Khudawadi 1i9c.1n 5.a Lao 2v5.2 1 1.5 1.o 1 1.n 2.5 1 1.7 1.a 2.4 Latin
    1t.q 6.q 1b f 5.n 1.v 1.ch 13.5 55n.12 6.1d 5.4 5.d 1.1y 1t.74 a9 d g.d 3x.2 6 r h.15 253.w o82.2u 3.1s 5.2 1 1.5
    o.e mo.17 1.9 1.4 fpy.7 t6.q 6.q 1lx.6 1.16 1.9 16it.v 6.6 Lepcha 5j4.1k 3.f 3.3 Limbu 4xs.v 1.c 4.c 4 3.c Lisu
    wk0.1c o8g Lycian 1f28.t Lydian 1gdc.q 5 Mahajani 1hzk.13 Makasar 1ko0.p Malayalam 2kg.d 1.3 1.1f 1.3 1.6 4.g 2.q
    Mandaic 1mo.s 2 Manichaean 1gow.13 4.c Marchen 1k6o.w 2.m 1.e Medefaidrin 20cg.2j Miao 20hs.23 4.1l 7.h Modi 1iww.1x
    b.a Mongolian 4qo.2 2 1.k 6.2h 7.17 1e45.d Mro 1zk0.v 1.a 4.2 Multani 1i80.7 1 1.4 1.f 1.b Myanmar 35s.4g u9s.v 2p.w
    Nabataean 1g8w.v 8.9 Nandinagari 1jmo.8 2.1a 2.b Newa 1iio.2k 1.5 Nko 1j4.1n 2.3 Nushu 20o1 cy6.b0 Ogham 4g0.t Oriya
    269.3 1.8 2.2 2.m 1.7 1.2 1.5 2.9 2.2 2.3 7.3 4.2 1.5 2.i Osage 1fhs.10 4.10 Osmanya 1fgg.u 2.a Palmyrene 1g80.w
    Phoenician 1gcg.s 3 Rejang xf4.10 b Runic 4gw.23 3.b Samaritan 1kw.1a 2.f Saurashtra xa8.1y 8.c Sharada 1i0w.2o
    Shavian 1ff4.1c Siddham 1itc.1i 2.12 Sinhala 2o1.3 1.i 3.o 1.9 1 2.7 3 4.6 1 1.8 6.a 2.3 1fcc.k Sogdian 1hkg.16
    Soyombo 1jrk.2b Sundanese 5fk.1s 74.8 Syriac 1ds.e 1.1o 2.3 7k.b Tagalog 4jk.m 9 Tagbanwa 4m8.d 1.3 1.2 Takri
    1j0g.1m 6.a Tamil 29u.2 1.6 3.3 1.4 3.2 1 1.2 3.2 3.3 3.c 4.5 3.3 1.4 2 6 e.l 1ih1.1e d Tangsa 1zlc.27 1.a Tangut
    20o0 v.4qg 8.lc e8.9 Telugu 2dc.d 1.3 1.n 1.g 2.9 1.3 1.4 7.2 1.3 2 2.4 2.a 7.9 Thaana 1hc.1e Thai 2rl.1m 5.s
    Tibetan 2yo.20 1.10 4.13 1.10 1.f 1.7 4.2 Tifinagh 8xc.1k 7.2 e Tirhuta 1im8.20 8.a Toto 2nbk.v Ugaritic 1f9c.u 1
    Vai wlc.8c Vithkuqi 1fn4.b 1.f 1.7 1.2 1.b 1.f 1.7 1.2 Wancho 2ncw.1m 5 Yezidi 1hfk.16 1.3 2.2 Yi vls.wd 3.1j
"""
"""Each name is followed by its runs: the gap since the run before, and "." and the length unless it is 1."""

CATEGORY_ALIASES = """
    Cased_Letter>LC Close_Punctuation>Pe Combining_Mark>M Connector_Punctuation>Pc Control>Cc Currency_Symbol>Sc
    Dash_Punctuation>Pd Decimal_Number>Nd Enclosing_Mark>Me Final_Punctuation>Pf Format>Cf Initial_Punctuation>Pi
    Letter>L Letter_Number>Nl Line_Separator>Zl Lowercase_Letter>Ll Mark>M Math_Symbol>Sm Modifier_Letter>Lm
    Modifier_Symbol>Sk Nonspacing_Mark>Mn Number>N Open_Punctuation>Ps Other>C Other_Letter>Lo Other_Number>No
    Other_Punctuation>Po Other_Symbol>So Paragraph_Separator>Zp Private_Use>Co Punctuation>P Separator>Z
    Space_Separator>Zs Spacing_Mark>Mc Surrogate>Cs Symbol>S Titlecase_Letter>Lt Unassigned>Cn Uppercase_Letter>Lu
    cntrl>Cc digit>Nd punct>P
"""
"""The long names of categories."""

FOLDING = """
    23,2z,6ju 2b,37,an 51,po,qk 5h,6d,6jv ck,cl,cm cn,co,cp cq,cr,cs dt,du,dv n9,pl,qh,69q pe,qa,r4 ph,qd,s5 pk,qg,r5,s4
    pm,qi,s0 ps,qo,ra pt,qp,s1 pv,qq,qr py,qu,r9 q1,qx,6jq sy,tu,5mo t0,tw,5mp ta,u6,5mq td,u9,5mr te,ua,5ms,5mt
    tm,ui,5mu v6,v7,5mv 5mw,wui,wuj 600,601,61n 1t.a.1.w 24.7.1.w 2c.7.1.w 5c.5.1.w 5i.h.1.w 60.7.1.w 67.1.1.5vj
    73.1.1.3d 74.o.2.1 8i.3.2.1 8p.8.2.1 96.n.2.1 ah.3.2.1 ao.1.1.5f ap.1.1.5u aq.2.2.1 au.1.1.5q av.1.1.1 ax.2.1.5p
    az.1.1.1 b2.1.1.27 b3.1.1.5m b4.1.1.5n b5.1.1.1 b7.1.1.5p b8.1.1.5r b9.1.1.2p ba.1.1.5v bb.1.1.5t bc.1.1.1 be.1.1.4j
    bg.1.1.5v bh.1.1.5x bi.1.1.3m bj.1.1.5y bk.3.2.1 bq.1.1.62 br.1.1.1 bt.1.1.62 bw.1.1.1 by.1.1.62 bz.1.1.1 c1.2.1.61
    c3.2.2.1 c7.1.1.63 c8.2.4.1 cf.1.1.1k ct.8.2.1 da.9.2.1 dw.2.4.1 e2.j.2.1 f6.9.2.1 fu.1.1.8bv fv.1.1.1 fy.1.1.8bs
    fz.2.1.8cf g1.1.1.1 g4.1.1.1x g5.1.1.1z g6.5.2.1 gg.1.1.8bj gh.1.1.8bg gi.1.1.8bi gs.1.1.wnj gx.1.1.wnf h1.1.1.wmg
    h2.2.4.wn8 h7.1.1.8af h8.1.1.wn5 hd.1.1.8al hp.1.1.89z hu.1.1.wn7 hz.1.1.wmi il.1.1.wlx im.1.1.wlu og.2.2.1 om.1.1.1
    or.3.1.3m ov.1.1.38 p2.1.1.12 p4.3.1.11 p8.1.1.1s pa.2.1.1r pd.2.2.w pg.2.2.w pj.2.4.w pp.3.1.w pw.2.1.w pz.2.1.w
    q2.2.1.w r3.1.1.8 rc.c.2.1 s2.1.1.7 s7.2.3.1 sg.g.1.28 sw.2.1.w sz.2.2.w t2.8.1.w tb.2.1.w tf.7.1.w tn.5.1.w
    v4.2.4.1 va.e.2.1 wa.r.2.1 xs.1.1.f xt.7.2.1 y8.1c.2.1 10x.12.1.1c 3a8.12.1.5ls 3bb.2.6.5ls 3bk.17.1.2bk 3ct.3.1.2bk
    3vk.28.1.tzk 3xs.6.1.8 5tl.1.1.r9g 5tp.1.1.2xy 5u6.1.1.raw 5xc.1c.2.1 602.q.2.1 61s.1c.2.1 64g.8.1.8 64w.6.1.8
    65c.8.1.8 65s.8.1.8 668.6.1.8 66p.4.2.8 674.8.1.8 67k.2.1.22 67m.4.1.2e 67q.2.1.2s 67s.2.1.3k 67u.2.1.34 67w.2.1.3i
    680.8.1.8 68g.8.1.8 68w.8.1.8 69c.2.1.8 69f.2.g.9 6a8.2.1.8 6ao.2.1.8 6at.1.1.7 6b7.1.1.9 6k2.1.1.s 6lc.g.1.g
    6mb.1.1.1 792.q.1.q 8ow.1c.1.1c 8rk.2.7.1 8rt.2.2.1 8s2.2.3.1 8sg.1e.2.1 8vf.2.2.1 8vm.2.nym.1 wua.4.2.1 wuk.h.2.1
    ww0.e.2.1 x0i.7.2.1 x0y.v.2.1 x2x.2.2.1 x32.5.2.1 x3f.2.5.1 x3m.1.1.1 x3o.1.1.1c x3q.a.2.1 x4j.1.1.ps x4k.8.2.1
    x53.2.2.1 x5c.2.6.1 x5k.2.t.1 1ee9.q.1.w 1fcw.14.1.14 1fhs.10.1.14 1fn4.b.1.13 1fng.f.1.13 1fnw.7.1.13 1fo4.2.1.13
    1h1c.1f.1.1s 1jfk.w.1.w 20cg.w.1.w 2olc.y.1.y
"""
"""What is the same but for its case: "first.count.step.distance" stands for pairs, "a,b,c" for more than two."""
